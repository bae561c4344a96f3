package dev.exactlyonce.source;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A row of the vectors as the request that it stands for.
 *
 * @param url the address that the sender calls, with its query; empty where it is not signed
 */
public record SignedRow(
        String preset,
        String name,
        String secret,
        String url,
        Map<String, String> headers,
        String body,
        String signature,
        boolean isValid) {

    public static List<SignedRow> all() {
        return Vectors.all().stream().map(SignedRow::of).toList();
    }

    private static SignedRow of(JsonObject row) {
        String provider = row.getString("provider");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (row.containsKey("headers")) {
            row.getJsonObject("headers").forEach((name, value) -> headers.put(name, ((JsonString) value).getString()));
        }
        if (row.containsKey("form")) {
            headers.put("Content-Type", "application/x-www-form-urlencoded");
        }
        if (provider.equals("adyen-raw")) {
            headers.put("HmacSignature", row.getString("signature"));
        }
        return new SignedRow(
                switch (provider) {
                    case "adyen-payment" -> "adyen";
                    case "adyen-raw" -> "adyen-header";
                    default -> provider;
                },
                row.getString("name"),
                row.getString("public", row.getString("secret", "")),
                row.getString("url", ""),
                headers,
                body(provider, row),
                row.getString("signature", ""),
                row.getBoolean("valid"));
    }

    private static String body(String provider, JsonObject row) {
        return switch (provider) {
            case "adyen-payment" -> adyen(row.getString("data").split(":", -1), row.getString("signature"));
            case "adyen-raw", "adyen-header" -> row.getString("data");
            case "mailgun" -> mailgun(row.getString("data"), row.getString("signature"));
            default -> row.containsKey("form") ? form(row.getJsonObject("form")) : row.getString("body");
        };
    }

    private static String form(JsonObject fields) {
        return fields.keySet().stream()
                .map(it -> encoded(it) + "=" + encoded(fields.getString(it)))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The reference of the merchant is the one field with colons of its own. */
    private static String adyen(String[] data, String signature) {
        int last = data.length;
        String reference = String.join(":", Arrays.copyOfRange(data, 3, last - 4));
        JsonObject item = Json.createObjectBuilder()
                .add("additionalData", Json.createObjectBuilder().add("hmacSignature", signature))
                .add("pspReference", data[0])
                .add("originalReference", data[1])
                .add("merchantAccountCode", data[2])
                .add("merchantReference", reference)
                .add(
                        "amount",
                        Json.createObjectBuilder()
                                .add("value", Long.parseLong(data[last - 4]))
                                .add("currency", data[last - 3]))
                .add("eventCode", data[last - 2])
                .add("success", data[last - 1])
                .build();
        return Json.createObjectBuilder()
                .add("live", "false")
                .add(
                        "notificationItems",
                        Json.createArrayBuilder().add(Json.createObjectBuilder().add("NotificationRequestItem", item)))
                .build()
                .toString();
    }

    private static String mailgun(String data, String signature) {
        return Json.createObjectBuilder()
                .add(
                        "signature",
                        Json.createObjectBuilder()
                                .add("timestamp", data.substring(0, 10))
                                .add("token", data.substring(10))
                                .add("signature", signature))
                .add("event-data", Json.createObjectBuilder().add("id", "x"))
                .build()
                .toString();
    }

    /** What is set for a source that receives it, without what names the source. */
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(Map.of("preset", preset, "secret", secret));
        if (!url.isEmpty()) {
            settings.put("public-url", publicUrl());
        }
        if (preset.equals("svix")) {
            settings.put("allow-short-secret", "true"); // the documents' example has 18 bytes
        }
        return settings;
    }

    /** The address without its query. */
    public String publicUrl() {
        return url.split("\\?", 2)[0];
    }

    public String rawQuery() {
        return url.contains("?") ? url.substring(url.indexOf('?') + 1) : "";
    }

    /** The body with another character where the signature covers it; an empty one gets its first. */
    public String tamperedBody() {
        int at = switch (preset) {
            case "adyen" -> body.indexOf("\"pspReference\":\"") + 18;
            case "mailgun" -> body.indexOf("\"token\":\"") + 12;
            default -> body.length() / 2;
        };
        return body.isEmpty() ? "x" : body.substring(0, at) + (char) (body.charAt(at) ^ 1) + body.substring(at + 1);
    }
}
