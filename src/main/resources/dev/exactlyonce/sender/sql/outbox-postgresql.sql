-- The sender's tables on PostgreSQL. The application makes them at its first use. Where its role may not, run this file
-- and grant it SELECT, INSERT, UPDATE and DELETE on both. Times are milliseconds since 1970 by the database's clock.

CREATE TABLE IF NOT EXISTS exactly_once_outbox (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint TEXT NOT NULL,
  event_key TEXT NOT NULL,
  state TEXT NOT NULL,        -- waiting, claimed, dead, moved or done
  due_at_ms BIGINT,           -- waiting: its time, claimed: the end of its lease, else null
  owner TEXT,                 -- of the last claim
  attempts INTEGER NOT NULL,  -- of this round, the one that is being made with them
  round_began_at_ms BIGINT,
  first_attempt_at_ms BIGINT, -- of all rounds
  created_at_ms BIGINT NOT NULL,
  dead_since_ms BIGINT,
  not_before_ms BIGINT,
  replayed_at_ms BIGINT,
  done_at_ms BIGINT,
  error TEXT,
  headers TEXT NOT NULL,
  history TEXT NOT NULL,
  body BYTEA NOT NULL,
  UNIQUE (endpoint, event_key)
);

CREATE INDEX IF NOT EXISTS exactly_once_outbox_due ON exactly_once_outbox (endpoint, due_at_ms)
  WHERE due_at_ms IS NOT NULL;

CREATE INDEX IF NOT EXISTS exactly_once_outbox_dead ON exactly_once_outbox (state, id) WHERE state = 'dead';

CREATE INDEX IF NOT EXISTS exactly_once_outbox_done ON exactly_once_outbox (done_at_ms) WHERE done_at_ms IS NOT NULL;

-- Endpoints that are disabled.
CREATE TABLE IF NOT EXISTS exactly_once_endpoint (
  name TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  disabled_at_ms BIGINT NOT NULL
);
