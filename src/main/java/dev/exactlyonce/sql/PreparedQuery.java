package dev.exactlyonce.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** A statement whose parameters are given in order. */
public final class PreparedQuery {
    private final PreparedStatement statement;
    private int next = 1;

    PreparedQuery(PreparedStatement statement) {
        this.statement = statement;
    }

    public PreparedQuery text(@Nullable String value) throws SQLException {
        if (value == null) {
            statement.setNull(next++, Types.VARCHAR);
        } else {
            statement.setString(next++, value);
        }
        return this;
    }

    public PreparedQuery number(long value) throws SQLException {
        statement.setLong(next++, value);
        return this;
    }

    public PreparedQuery numberOrNull(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(next++, Types.BIGINT);
            return this;
        }
        return number(value);
    }

    public PreparedQuery bytes(byte[] value) throws SQLException {
        statement.setBytes(next++, value);
        return this;
    }

    /** How many rows a query brings into memory at once, where the driver can. */
    public PreparedQuery fetching(int rows) throws SQLException {
        statement.setFetchSize(rows);
        return this;
    }

    /** How many rows it changed. */
    public int update() throws SQLException {
        return statement.executeUpdate();
    }

    public ResultSet query() throws SQLException {
        return statement.executeQuery();
    }

    /** Puts it beside others, to run together with the next parameters. */
    public void addToBatch() throws SQLException {
        statement.addBatch();
        next = 1;
    }

    /** How many rows each of them changed. */
    public int[] updateBatch() throws SQLException {
        return statement.executeBatch();
    }
}
