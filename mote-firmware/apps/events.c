/* Prints events to stdout, and errors with their remedy to stderr. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

enum { DIAGNOSTIC_SHOWN = 120 };

const char *events_explain(int error)
{
    switch (error) {
    case MOTE_E_MALFORMED:
        return "the data is malformed";
    case MOTE_E_SPACE:
        return "the data is too large";
    case MOTE_E_STATE:
        return "this is not possible now";
    case MOTE_E_AUTH:
        return "the answer is not signed by the mirror's key (another mirror? give its key with "
               "--mirror-key)";
    case MOTE_E_IO:
        return "reading or writing failed";
    default:
        return "this is not supported";
    }
}

/* Prints the mirror's diagnostic payload; all but printable ASCII is replaced. */
static void print_diagnostic(const struct app_event *event)
{
    size_t shown =
        event->diagnostic_len < DIAGNOSTIC_SHOWN ? event->diagnostic_len : DIAGNOSTIC_SHOWN;

    if (shown > 0)
        fputs(" (", stderr);
    for (size_t i = 0; i < shown; i++)
        putc(event->diagnostic[i] >= 0x20 && event->diagnostic[i] < 0x7f ? event->diagnostic[i]
                                                                         : '?',
             stderr);
    if (shown > 0)
        putc(')', stderr);
}

static const char *remedy(const struct app_event *event)
{
    bool about_commands = event->text != NULL && strcmp(event->text, "commands") == 0;

    switch (event->code) {
    /* Both codes have many reasons: the mirror's diagnostic payload names the one that applies. */
    case COAP_FORBIDDEN:
    case COAP_UNAUTHORIZED:
        if (event->diagnostic_len > 0)
            return "retrying at longer intervals";
        return event->code == COAP_FORBIDDEN
                   ? "its operator may have to approve the key; retrying at longer intervals"
                   : "it may have another key for this name; retrying at longer intervals";
    case COAP_CONFLICT:
        return "registering again";
    case COAP_NOT_FOUND:
        return about_commands ? "continuing" : "registering again";
    case COAP_TOO_MANY:
    case COAP_UNAVAILABLE:
        return "retrying when the mirror allows";
    default:
        return "continuing";
    }
}

static void print_refusal(const struct events *events, const struct app_event *event)
{
    fprintf(stderr, "vigil-mote: %s refused %s seq %llu with %d.%02d", events->mirror,
            event->text != NULL ? event->text : "the registration", (unsigned long long)event->seq,
            event->code >> 5, event->code & 31);
    print_diagnostic(event);
    fprintf(stderr, ": %s\n", remedy(event));
}

static void print_sent(const struct app_event *event)
{
    printf("sent %s seq %llu", event->text, (unsigned long long)event->seq);
    if (event->code != 0)
        printf(" %d.%02d", event->code >> 5, event->code & 31);
    printf("%s\n", event->confirmable ? " confirmed" : "");
}

static void print_command(const struct app_event *event)
{
    if (event->error == MOTE_OK)
        printf("command %llu done: %s\n", (unsigned long long)event->seq, event->text);
    else
        fprintf(stderr, "vigil-mote: command %llu%s%s not carried out, %s\n",
                (unsigned long long)event->seq, event->text != NULL ? " to " : "",
                event->text != NULL ? event->text : "",
                event->error == MOTE_E_AUTH    ? "no configured commander signed it"
                : event->error == MOTE_E_STATE ? "it is for another endpoint, or has expired"
                                               : events_explain(event->error));
}

/** A thumbprint in groups of four letters, as the gateway's pages show it. */
static void print_groups(const char *thumbprint)
{
    printf("its fingerprint in groups:");
    for (size_t at = 0; at < strlen(thumbprint); at += 4)
        printf(" %.4s", &thumbprint[at]);
    printf("\n");
}

void events_print(void *context, const struct app_event *event)
{
    const struct events *events = context;

    switch (event->kind) {
    case APP_EVENT_KEY:
        printf("new key %s in %s\n", event->text, events->state);
        print_groups(event->text);
        break;
    case APP_EVENT_MIRROR:
        printf("pinned mirror key %s\n", event->text);
        break;
    case APP_EVENT_REGISTERED:
        printf("registered at /%s\n", event->text);
        break;
    case APP_EVENT_RESUMED:
        printf("resuming at /%s\n", event->text);
        break;
    case APP_EVENT_SENT:
        print_sent(event);
        break;
    case APP_EVENT_REFUSED:
        print_refusal(events, event);
        break;
    case APP_EVENT_UNANSWERED:
        fprintf(stderr, "vigil-mote: %s did not answer %s: is the mirror running? Retrying\n",
                events->mirror, event->text != NULL ? event->text : "the registration");
        break;
    case APP_EVENT_COMMAND:
        print_command(event);
        break;
    case APP_EVENT_SENSOR:
        fprintf(stderr, "vigil-mote: sensor %s gave no value: its update is omitted\n",
                event->text);
        break;
    case APP_EVENT_FAILED:
        fprintf(stderr, "vigil-mote: %s failed, %s (state file %s): retrying\n",
                event->text != NULL ? event->text : "the registration",
                events_explain(event->error), events->state);
        break;
    }
}

void events_mesh(const uint8_t *address)
{
    char text[INET6_ADDRSTRLEN];

    if (address != NULL && inet_ntop(AF_INET6, address, text, sizeof text) != NULL)
        printf("joined the mesh as %s\n", text);
    else
        fprintf(stderr, "vigil-mote: lost the route to the root: searching for another\n");
}
