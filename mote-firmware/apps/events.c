/* Events on stdout; what went wrong, and the way out, on stderr. */
#include <arpa/inet.h>
#include <stdio.h>

#include "events.h"

enum { DIAGNOSTIC_SHOWN = 120 };

const char *events_explain(int error)
{
    switch (error) {
    case MOTE_E_MALFORMED:
        return "what was read contradicts itself";
    case MOTE_E_SPACE:
        return "it does not fit";
    case MOTE_E_STATE:
        return "it is not possible in this state";
    case MOTE_E_AUTH:
        return "it is not signed by the mirror's key (another mirror? give its key with "
               "--mirror-key)";
    case MOTE_E_IO:
        return "reading or writing failed";
    default:
        return "it is not supported";
    }
}

/* What a stranger sent goes to a terminal as plain text only. */
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

static const char *way_out(const struct app_event *event)
{
    switch (event->code) {
    case COAP_FORBIDDEN:
        return "have an operator approve the key or create the domain; trying again slowly";
    case COAP_UNAUTHORIZED:
        return "the mirror knows another key for this name; trying again slowly";
    case COAP_CONFLICT:
    case COAP_NOT_FOUND:
        return "registering again";
    case COAP_TOO_MANY:
    case COAP_UNAVAILABLE:
        return "waiting as long as the mirror asks";
    default:
        return "going on";
    }
}

static void print_refusal(const struct events *events, const struct app_event *event)
{
    fprintf(stderr, "vigil-mote: %s refused %s seq %llu with %d.%02d", events->mirror,
            event->text != NULL ? event->text : "the registration", (unsigned long long)event->seq,
            event->code >> 5, event->code & 31);
    print_diagnostic(event);
    fprintf(stderr, ": %s\n", way_out(event));
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
                event->error == MOTE_E_AUTH    ? "no commander of ours signed it"
                : event->error == MOTE_E_STATE ? "it is for another endpoint, or too late"
                                               : events_explain(event->error));
}

void events_print(void *context, const struct app_event *event)
{
    const struct events *events = context;

    switch (event->kind) {
    case APP_EVENT_KEY:
        printf("new key %s in %s\n", event->text, events->state);
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
        fprintf(stderr, "vigil-mote: %s did not answer %s: is the mirror running? Trying again\n",
                events->mirror, event->text != NULL ? event->text : "the registration");
        break;
    case APP_EVENT_COMMAND:
        print_command(event);
        break;
    case APP_EVENT_SENSOR:
        fprintf(stderr, "vigil-mote: sensor %s gave no value: left out\n", event->text);
        break;
    case APP_EVENT_FAILED:
        fprintf(stderr, "vigil-mote: %s failed, %s (state in %s): trying again\n",
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
        fprintf(stderr, "vigil-mote: the way to the root is lost: looking for another\n");
}
