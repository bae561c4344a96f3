package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key that each preset finds in a delivery as its sender puts it together. */
class PresetKeysTest {
    private static Resolution resolve(String preset, @Nullable String header, String body) {
        SentRequest request = new SentRequest();
        if (header != null) {
            for (String line : header.split("; ", -1)) {
                int colon = line.indexOf(": ");
                request.withHeader(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        return SignedDelivery.read(PresetFilesTest.sound(preset), Instant.EPOCH)
                .settings()
                .sources()
                .find("it")
                .orElseThrow()
                .policy()
                .keys()
                .resolve(request, body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "github | X-GitHub-Delivery: g1; X-GitHub-Hook-ID: 7 | {} | g1,7",
                "github | X-GitHub-Delivery: g1; X-GitHub-Hook-ID: 7; Content-Type: application/x-www-form-urlencoded"
                        + " | payload=%7B%7D | g1,7",
                "stripe | | {\"id\":\"evt_1\"} | evt_1",
                "slack | | {\"event_id\":\"Ev1\",\"api_app_id\":\"A1\"} | Ev1,A1",
                "slack | Content-Type: application/x-www-form-urlencoded"
                        + " | command=%2Fdeploy&trigger_id=13.3&api_app_id=A1 | 13.3,A1",
                "slack | Content-Type: application/x-www-form-urlencoded"
                        + " | payload=%7B%22trigger_id%22%3A%2213.3%22%2C%22api_app_id%22%3A%22A1%22%7D | 13.3,A1",
                "shopify | X-Shopify-Event-Id: e1; X-Shopify-Webhook-Id: w1; X-Shopify-Topic: orders/create;"
                        + " X-Shopify-Shop-Domain: a.example | {} | e1,w1,orders/create,a.example",
                "shopify | Shopify-Event-Id: e1; Shopify-Webhook-Id: w1; Shopify-Topic: orders/create;"
                        + " Shopify-Shop-Domain: a.example | {} | e1,w1,orders/create,a.example",
                "clerk | svix-id: m1 | {} | m1",
                "resend | svix-id: m1 | {} | m1",
                "gitlab | webhook-id: m1 | {} | m1",
                "gitlab-token | Idempotency-Key: i1; X-Gitlab-Event-UUID: e1; X-Gitlab-Webhook-UUID: w1 | {} | i1,i1,i1",
                "gitlab-token | X-Gitlab-Event-UUID: e1; X-Gitlab-Webhook-UUID: w1 | {} | w1,e1,BODY",
                "gitlab-token | X-Gitlab-Event-UUID: e1 | {} | BODY,e1,BODY",
                "bitbucket | X-Request-UUID: b1; X-Hook-UUID: h1 | {} | b1,h1",
                "twilio | I-Twilio-Idempotency-Token: t1; Content-Type: application/x-www-form-urlencoded"
                        + " | MessageSid=SM1&MessageStatus=sent | t1",
                "square | | {\"event_id\":\"s1\"} | s1",
                "paypal | | {\"id\":\"WH-1\",\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\"} | WH-1",
                "paddle | | {\"event_id\":\"evt_1\",\"notification_id\":\"ntf_1\"} | evt_1",
                "razorpay | X-Razorpay-Event-Id: r1 | {} | r1",
                "zendesk | X-Zendesk-Webhook-Invocation-Id: z1 | {} | z1",
                "intercom | | {\"id\":\"notif_1\",\"delivery_attempts\":2} | notif_1",
                "discord | | {\"id\":\"12\",\"type\":2} | 12",
                "linear | Linear-Delivery: l1 | {\"webhookId\":\"w1\"} | l1",
                "mailgun | Content-Type: application/x-www-form-urlencoded | timestamp=1&token=t1&body-plain=%E9 | t1",
                "mailgun | | {\"signature\":{\"token\":\"t1\"},\"event-data\":{\"id\":\"e1\"}} | t1",
                "calendly | | {\"event\":\"invitee.created\",\"created_at\":\"then\",\"payload\":{\"uri\":\"u\"}}"
                        + " | u,invitee.created,then",
                "docusign | | {\"event\":\"envelope-sent\",\"generatedDateTime\":\"then\",\"retryCount\":3,"
                        + "\"configurationId\":9,\"data\":{\"envelopeId\":\"e1\"}} | e1,envelope-sent,then,9,envelope-sent",
                "docusign | | {\"event\":\"recipient-sent\",\"generatedDateTime\":\"then\",\"configurationId\":9,"
                        + "\"data\":{\"envelopeId\":\"e1\",\"recipientId\":\"2\"}} | e1,recipient-sent,then,9,2",
                "docusign | | {\"event\":\"template-created\",\"generatedDateTime\":\"then\","
                        + "\"data\":{\"templateId\":\"t1\"}}"
                        + " | t1,template-created,then,template-created,template-created",
                "telegram | | {\"update_id\":17} | 17,BODY",
                "pagerduty | X-Webhook-Id: x1 | {\"event\":{\"id\":\"01\"}} | 01",
                "mux | | {\"id\":\"m1\",\"attempts\":[]} | m1"
            })
    void aKeyIsFoundWhereTheSenderPutsIt(String preset, @Nullable String header, String body, String parts) {
        String digest = Digests.sha256Hex(body.getBytes(StandardCharsets.UTF_8));
        assertThat(resolve(preset, header, body))
                .isEqualTo(new Resolution.KeyParts(
                        List.of(parts.replace("BODY", digest).split(",", -1))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "adyen-header | {}",
                "sendgrid | []",
                "dropbox | {}",
                "meta | {}",
                "whatsapp | {}",
                "line | {\"events\":[]}",
                "adyen | {\"notificationItems\":[]}",
                "hubspot-v1 | []",
                "zoom | {\"event\":\"meeting.started\",\"event_ts\":5}",
                "twilio | CallSid=CA1&CallStatus=in-progress&Digits=1",
                "hubspot-v2 | []",
                "hubspot-v3 | []",
                "discord | {\"type\":1}"
            })
    void whereThereIsNoIdOrSeveralTheBodyStandsIn(String preset, String body) {
        assertThat(resolve(preset, null, body)).isEqualTo(new Resolution.KeyParts(List.of(Digests.sha256Hex(body))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "github | X-GitHub-Delivery: g1; X-GitHub-Hook-ID: 7 | X-GitHub-Delivery: g1; X-GitHub-Hook-ID: 8",
                "shopify | X-Shopify-Event-Id: e1; X-Shopify-Webhook-Id: w1 | X-Shopify-Event-Id: e1; X-Shopify-Webhook-Id: w2",
                "bitbucket | X-Request-UUID: b1; X-Hook-UUID: h1 | X-Request-UUID: b1; X-Hook-UUID: h2"
            })
    void oneEventForTwoTargetsAtOneAddressHasTwoKeys(String preset, String one, String other) {
        assertThat(resolve(preset, one, "{}")).isNotEqualTo(resolve(preset, other, "{}"));
        assertThat(resolve(preset, one, "{}")).isEqualTo(resolve(preset, one, "{}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "github | X-GitHub-Delivery: g1 | {\"installation\":{\"id\":1}} | {\"installation\":{\"id\":2}}",
                "shopify | X-Shopify-Event-Id: e1 | {\"id\":1} | {}",
                "bitbucket | X-Request-UUID: b1 | {\"a\":1} | {}",
                "gitlab-token | X-Gitlab-Webhook-UUID: w1; X-Gitlab-Event-UUID: e1"
                        + " | {\"object_kind\":\"push\"} | {\"object_kind\":\"merge_request\"}",
                "telegram | | {\"update_id\":1,\"message\":1} | {\"update_id\":1,\"message\":2}",
                "slack | | {\"event_id\":\"Ev1\",\"api_app_id\":\"A1\"} | {\"event_id\":\"Ev1\",\"api_app_id\":\"A2\"}"
            })
    void whereNoHeaderNamesTheTargetTheBodyTellsThemApart(
            String preset, @Nullable String header, String one, String other) {
        assertThat(resolve(preset, header, one)).isInstanceOf(Resolution.KeyParts.class);
        assertThat(resolve(preset, header, one)).isNotEqualTo(resolve(preset, header, other));
        assertThat(resolve(preset, header, one)).isEqualTo(resolve(preset, header, one));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "shopify | {}",
                "bitbucket | {}",
                "gitlab-token | {}",
                "github | {}",
                "telegram | {}",
                "mailgun | {}",
                "pagerduty | {}"
            })
    void aDeliveryWithoutItsIdIsRefusedAndNotTakenForAnother(String preset, String body) {
        assertThat(resolve(preset, null, body)).isInstanceOf(Resolution.NoKey.class);
    }
}
