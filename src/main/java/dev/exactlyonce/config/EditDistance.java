package dev.exactlyonce.config;

/** How far two names are apart. */
final class EditDistance {
    private EditDistance() {}

    /** Levenshtein's distance: how many characters must be inserted, removed or replaced. */
    static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = above[0];
            above[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = above[j];
                above[j] = Math.min(replaced, Math.min(above[j], above[j - 1]) + 1);
            }
        }
        return above[other.length()];
    }
}
