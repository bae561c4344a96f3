package dev.exactlyonce.store.jdbc;

/** What the store does about its table before it first uses it. */
enum SchemaPolicy {
    /** Makes what is not there, then validates. */
    CREATE,
    /** Checks that table, columns and sequence are there. */
    VALIDATE,
    /** Uses what is there. */
    NONE
}
