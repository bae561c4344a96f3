-- The sender's tables in its SQLite file: as on PostgreSQL. An id is never given twice.

CREATE TABLE IF NOT EXISTS exactly_once_outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  endpoint TEXT NOT NULL,
  event_key TEXT NOT NULL,
  state TEXT NOT NULL,         -- waiting, claimed, dead, moved or done
  due_at_ms INTEGER,           -- waiting: its time, claimed: the end of its lease, else null
  owner TEXT,                  -- of the last claim
  attempts INTEGER NOT NULL,   -- of this round, the one that is being made with them
  round_began_at_ms INTEGER,
  first_attempt_at_ms INTEGER, -- of all rounds
  created_at_ms INTEGER NOT NULL,
  dead_since_ms INTEGER,
  not_before_ms INTEGER,
  replayed_at_ms INTEGER,
  done_at_ms INTEGER,
  error TEXT,
  headers TEXT NOT NULL,
  history TEXT NOT NULL,
  body BLOB NOT NULL,
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
  disabled_at_ms INTEGER NOT NULL
);
