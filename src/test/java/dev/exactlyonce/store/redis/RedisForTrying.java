package dev.exactlyonce.store.redis;

import java.io.IOException;
import redis.embedded.core.ExecutableProvider;

/** Runs the tests' Redis at its usual port, for a machine without one, until it is interrupted. */
final class RedisForTrying {
    private RedisForTrying() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String program = ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
        Process redis = new ProcessBuilder(program, "--port", "6379", "--bind", "127.0.0.1", "--save", "")
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(redis::destroy));
        System.exit(redis.waitFor());
    }
}
