package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.Outcome.OutcomeKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeTest {
    @ParameterizedTest
    @CsvSource({
        "100, FAILURE",
        "199, FAILURE",
        "200, SUCCESS",
        "299, SUCCESS",
        "300, FAILURE",
        "399, FAILURE",
        "400, CLIENT_ERROR",
        "499, CLIENT_ERROR",
        "500, FAILURE",
        "599, FAILURE"
    })
    void onlyATwoHundredThatWasReturnedIsASuccess(int status, OutcomeKind kind) {
        assertThat(Outcome.ofStatus(status)).isEqualTo(new Outcome(kind, status));
    }

    @ParameterizedTest
    @CsvSource({
        "100, FAILURE, 500",
        "200, FAILURE, 500",
        "204, FAILURE, 500",
        "299, FAILURE, 500",
        "302, FAILURE, 302",
        "400, CLIENT_ERROR, 400",
        "499, CLIENT_ERROR, 499",
        "500, FAILURE, 500",
        "503, FAILURE, 503"
    })
    void anExceptionIsNeverASuccessWhateverStatusItCarries(int carried, OutcomeKind kind, int status) {
        assertThat(Outcome.ofFailure(carried)).isEqualTo(new Outcome(kind, status));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 99, 600, Integer.MAX_VALUE})
    void aStatusThatHttpDoesNotHaveIsRefused(int status) {
        assertThatThrownBy(() -> Outcome.ofStatus(status))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("status must be 100 to 599, was " + status);
    }

    @Test
    void workThatWasGivenUpOnIsNeitherSuccessNorFailure() {
        assertThat(Outcome.unfinished().kind()).isEqualTo(OutcomeKind.UNFINISHED);
    }
}
