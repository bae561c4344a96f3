CREATE TABLE IF NOT EXISTS ${table} (
  digest BYTEA PRIMARY KEY,
  idempotency_key TEXT NOT NULL,
  value TEXT NOT NULL,
  fence BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS ${table}_expires_at ON ${table} (expires_at_ms);

CREATE SEQUENCE IF NOT EXISTS ${table}_fence;
