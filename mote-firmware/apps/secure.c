#include "secure.h"

#include <string.h>

#include "mote/base.h"

static void report_failure(const struct secure *secure, const struct dtls *dtls)
{
    const char *peer = secure->mirror, *identity = secure->psk.identity;

    switch (dtls->failure) {
    case DTLS_SILENT:
        fprintf(stderr,
                "vigil-mote: %s did not answer the DTLS handshake: does it serve CoAPS on this "
                "port?\n",
                peer);
        break;
    case DTLS_KEY:
        fprintf(stderr,
                "vigil-mote: %s rejected the key of \"%s\": give both the same identity and "
                "key (--psk; the gateway's coap.dtls)\n",
                peer, identity);
        break;
    case DTLS_REFUSED:
        fprintf(stderr,
                "vigil-mote: %s refused the DTLS handshake: does it have pre-shared keys (the "
                "gateway's coap.dtls), and one for \"%s\"?\n",
                peer, identity);
        break;
    case DTLS_PROTOCOL:
        fprintf(stderr, "vigil-mote: %s sent handshake messages that this mote cannot use\n", peer);
        break;
    case DTLS_ABSENT:
        break;
    }
}

static void report(void *context, const struct dtls *dtls)
{
    const struct secure *secure = context;

    if (dtls->state == DTLS_OPEN)
        printf("DTLS session with %s as \"%s\"%s\n", secure->mirror, secure->psk.identity,
               dtls->with_id ? ", with Connection ID" : "");
    else
        report_failure(secure, dtls);
}

int secure_open(struct secure *secure, const char *path, const char *mirror,
                const struct random *random, struct link *link, char *problem, size_t size)
{
    const struct psk *psk = &secure->psk;

    if (psk_file_load(&secure->psk, path, problem, size) != 0)
        return -1;
    const struct dtls_config config = {.random = random,
                                       .identity = (const uint8_t *)psk->identity,
                                       .identity_len = strlen(psk->identity),
                                       .key = psk->key,
                                       .key_len = psk->key_len,
                                       .connection_id = true};
    secure->mirror = mirror;
    secure->link.report = report;
    secure->link.report_context = secure;
    return dtls_link_open(&secure->link, &config, link, problem, size);
}

void secure_close(struct secure *secure)
{
    dtls_link_close(&secure->link);
    wipe(&secure->psk, sizeof secure->psk);
}
