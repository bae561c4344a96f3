package dev.exactlyonce.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at everything that was done to one key and finds the answers that no correct store could have given. It only
 * speaks up when no order of the operations allows an answer: whatever ran at the same time, and whatever failed, may
 * have happened before, after, or (if it failed) not at all.
 */
final class StoreJudge {
    enum Kind {
        RESERVE,
        RECORD,
        RELEASE,
        RENEW
    }

    enum Answer {
        /** Granted, written, freed, held. */
        DONE,
        /** Another runs. */
        IN_FLIGHT,
        /** It was recorded, with the operation's status. */
        RECORDED,
        /** Another has it, running or recorded. */
        TAKEN,
        /** There was nothing to free. */
        NOTHING,
        UNAVAILABLE
    }

    /**
     * @param status what was recorded, or what a reserve was answered
     * @param lasts the lease or the TTL, in milliseconds
     * @param invoked when it began, in the order of all events; {@code returned} is when it ended
     * @param from the earliest instant at which it may have happened; {@code to} is the latest
     */
    record Operation(
            Kind kind,
            String owner,
            int status,
            long lasts,
            Answer answer,
            long invoked,
            long returned,
            long from,
            long to) {
        /** Of an operation that failed: it may happen any time later. */
        static final long NEVER = Long.MAX_VALUE / 4;

        /** After a loss it proves nothing: what it did may be there still, or not. */
        Operation asLost() {
            return new Operation(kind, owner, status, lasts, Answer.UNAVAILABLE, invoked, returned, from, to);
        }

        boolean isDone() {
            return answer == Answer.DONE;
        }

        /** Whether it may have made a claim. */
        boolean mayClaim() {
            return (kind == Kind.RESERVE || kind == Kind.RENEW) && (isDone() || answer == Answer.UNAVAILABLE);
        }

        boolean mayRecord() {
            return kind == Kind.RECORD && (isDone() || answer == Answer.UNAVAILABLE);
        }

        /** Whether it put its owner in possession of the key, or found it there. */
        boolean took() {
            return kind != Kind.RELEASE && isDone();
        }

        boolean isCertainlyBefore(Operation other) {
            return returned < other.invoked;
        }

        boolean isBy(Operation other) {
            return owner.equals(other.owner);
        }
    }

    private final List<Operation> operations;
    private final Map<String, List<Operation>> byOwner;
    private final List<String> wrong = new ArrayList<>();

    private StoreJudge(List<Operation> operations) {
        this.operations = operations;
        this.byOwner = operations.stream().collect(Collectors.groupingBy(Operation::owner));
    }

    /** What is wrong with the history of one key; empty when it may have been so. */
    static List<String> judge(List<Operation> ofOneKey) {
        StoreJudge judge = new StoreJudge(ofOneKey);
        for (Operation operation : ofOneKey) {
            judge.judgeWhatItPromised(operation);
            judge.judgeAnswer(operation);
        }
        return judge.wrong;
    }

    /**
     * The same, of a store that lost any of its keys now and then.
     *
     * @param losses in the order of all events; no operation ran at any of them
     */
    static List<String> judge(List<Operation> ofOneKey, List<Long> losses) {
        List<Long> ends = new ArrayList<>(losses);
        ends.add(Operation.NEVER);
        List<Operation> before = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        long begin = -1;
        for (long end : ends) {
            long since = begin;
            List<Operation> between = ofOneKey.stream()
                    .filter(it -> it.invoked() > since && it.invoked() < end)
                    .toList();
            wrong.addAll(judge(Stream.concat(before.stream(), between.stream()).toList()));
            between.forEach(it -> before.add(it.asLost()));
            begin = end;
        }
        return wrong;
    }

    private void judgeWhatItPromised(Operation first) {
        if (first.mayClaim() && first.isDone()) {
            long end = earliestEndOfClaim(first);
            for (Operation later : operations) {
                if (first.isCertainlyBefore(later) && later.to() < end && !mayHaveEndedBefore(first, later)) {
                    judgeDuringClaim(first, later);
                }
            }
        } else if (first.mayRecord() && first.isDone()) {
            long end = earliestEndOfRecord(first);
            for (Operation later : operations) {
                if (first.isCertainlyBefore(later) && later.to() < end) {
                    judgeDuringRecord(first, later);
                }
            }
        }
    }

    private void judgeDuringClaim(Operation claim, Operation later) {
        if (later.took() && !later.isBy(claim)) {
            accuse("two owners", claim, later);
        }
        boolean refused = later.answer() != Answer.DONE && later.answer() != Answer.UNAVAILABLE;
        if (refused && later.isBy(claim)) {
            accuse("an owner was put out before its lease's end", claim, later);
        }
    }

    private void judgeDuringRecord(Operation record, Operation later) {
        if (later.kind() == Kind.RESERVE && later.isDone()) {
            accuse("admitted although recorded", record, later);
        } else if (later.took() && !later.isBy(record)) {
            accuse("a record was taken by another", record, later);
        } else if (later.kind() == Kind.RELEASE && later.isDone()) {
            accuse("a record was released", record, later);
        }
    }

    /**
     * Whether the claim's owner may have recorded or released between the claim and the later operation; or before it,
     * when the claim is a renewal, which a record answers like a claim.
     */
    private boolean mayHaveEndedBefore(Operation claim, Operation later) {
        return byOwner.get(claim.owner()).stream()
                .filter(by -> by.invoked() != later.invoked() && by.invoked() < later.returned())
                .anyMatch(by -> by.isCertainlyBefore(claim)
                        ? claim.kind() == Kind.RENEW && by.mayRecord() && latestEnd(by) > claim.from()
                        : by.mayRecord() || (by.kind() == Kind.RELEASE && by.answer() != Answer.NOTHING));
    }

    /** A repeated reserve finds the claim that is there and its lease; a renewal starts the lease anew. */
    private long earliestEndOfClaim(Operation claim) {
        return claim.kind() == Kind.RENEW ? claim.from() + claim.lasts() : earliestEnd(claim, Operation::mayClaim);
    }

    /** A repeated record finds the first one and its TTL. */
    private long earliestEndOfRecord(Operation record) {
        return earliestEnd(record, Operation::mayRecord);
    }

    /** The earliest end that any of the owner's operations may have given to what this one made or found. */
    private long earliestEnd(Operation at, Predicate<Operation> kind) {
        return byOwner.get(at.owner()).stream()
                .filter(by -> kind.test(by) && by.invoked() < at.returned() && latestEnd(by) > at.from())
                .mapToLong(by -> by.from() + by.lasts())
                .min()
                .orElseThrow();
    }

    private void judgeAnswer(Operation judged) {
        if (judged.kind() != Kind.RESERVE) {
            return;
        }
        if (judged.answer() == Answer.IN_FLIGHT
                && operations.stream().noneMatch(by -> !by.isBy(judged) && mayStillHold(by, judged))) {
            wrong.add("in flight, but no owner can hold the key: " + judged);
        }
        if (judged.answer() == Answer.RECORDED
                && operations.stream()
                        .noneMatch(by -> by.mayRecord()
                                && by.status() == judged.status()
                                && by.invoked() < judged.returned()
                                && latestEnd(by) > judged.from())) {
            wrong.add("recorded, but no owner can have recorded that: " + judged);
        }
    }

    private boolean mayStillHold(Operation claim, Operation at) {
        return claim.mayClaim()
                && claim.invoked() < at.returned()
                && latestEnd(claim) > at.from()
                && byOwner.get(claim.owner()).stream()
                        .noneMatch(by -> by.isDone()
                                && (by.kind() == Kind.RELEASE || by.kind() == Kind.RECORD)
                                && claim.isCertainlyBefore(by)
                                && by.isCertainlyBefore(at));
    }

    private static long latestEnd(Operation operation) {
        return operation.to() + operation.lasts();
    }

    private void accuse(String fault, Operation first, Operation later) {
        wrong.add(fault + ": " + first + ", then " + later);
    }
}
