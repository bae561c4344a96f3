package dev.exactlyonce.admission;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request as a sender put it together. */
public class SentRequest implements DeliveryRequest {
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, List<String>> queries = new TreeMap<>();
    private final Map<String, List<String>> paths = new TreeMap<>();
    private InputStream body = InputStream.nullInputStream();
    private long announced = -1;
    private String rawQuery = "";

    public SentRequest withHeader(String name, String value) {
        return with(headers, name, value);
    }

    public SentRequest withQuery(String name, String value) {
        return with(queries, name, value);
    }

    public SentRequest withPath(String name, String value) {
        return with(paths, name, value);
    }

    public SentRequest withBody(String text) {
        return withBody(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    public SentRequest withBody(InputStream bytes) {
        body = bytes;
        return this;
    }

    public SentRequest withRawQuery(String query) {
        rawQuery = query;
        return this;
    }

    public SentRequest announcing(long length) {
        announced = length;
        return this;
    }

    private SentRequest with(Map<String, List<String>> map, String name, String value) {
        map.computeIfAbsent(name, it -> new ArrayList<>()).add(value);
        return this;
    }

    @Override
    public String endpoint() {
        return "POST/app/hooks";
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String rawQuery() {
        return rawQuery;
    }

    @Override
    public long announcedLength() {
        return announced;
    }

    @Override
    public InputStream body() {
        return body;
    }

    @Override
    public List<String> header(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public List<String> query(String name) {
        return queries.getOrDefault(name, List.of());
    }

    @Override
    public List<String> path(String name) {
        return paths.getOrDefault(name, List.of());
    }
}
