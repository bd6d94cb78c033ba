/*
 * Commands (docs/protocol.md section 8). The mirror lists pending ones, oldest first; the endpoint
 * fetches the first one numbered above all that it has begun. Commands are carried out one at a
 * time, because an update acknowledges one command.
 */
#include "commands.h"

#include "clock.h"
#include "messages.h"
#include "mote/base.h"
#include "mote/coap.h"
#include "mote/crypto.h"
#include "mote/jose.h"
#include "mote/port/actuator.h"
#include "mote/store.h"

/* The resource that replaces the commanders. */
#define KEYS_PATH ".keys"

static const char PENDING[] = "pending";

static void report(const struct app *app, const char *path, int error)
{
    app_report(app,
               &(struct app_event){
                   .kind = APP_EVENT_COMMAND, .text = path, .seq = app->command, .error = error});
}

/* Sends a GET for `update_path` with one query. */
static enum app_step get(struct app *app, enum app_state state, const char *query, int32_t accept,
                         uint64_t now)
{
    const struct app_config *config = &app->config;
    struct coap_request request = {.code = COAP_GET,
                                   .confirmable = true,
                                   .path = app->update_path,
                                   .queries = &app->query,
                                   .query_count = 1,
                                   .content_format = COAP_FORMAT_NONE,
                                   .accept = accept,
                                   .first_block = state == APP_LISTING_COMMANDS};
    int error;

    if (state == APP_FETCHING_COMMAND) { /* `body` is free: no update is under way */
        request.answer = config->body;
        request.answer_size = config->body_size;
    }
    app->state = state;
    app->query = query;
    error = app_request(app, &request, now);
    return error == MOTE_OK ? APP_STEP_WAIT : app_failed(app, error);
}

static enum app_step check(struct app *app, uint64_t now)
{
    int error = app_path_write(app, NULL);

    app->checks_left--;
    return error == MOTE_OK ? get(app, APP_LISTING_COMMANDS, PENDING, COAP_FORMAT_LINKS, now)
                            : app_failed(app, error);
}

static bool take_text(struct reader *in, const char *text)
{
    struct reader at = *in;

    for (; *text != '\0'; text++)
        if (reader_u8(&at) != (uint8_t)*text || at.failed)
            return false;
    *in = at;
    return true;
}

/* Reads `/ms/7/led?command=12>` after a `<`. Writes the path below the location, and the query.
 * Returns the command's number, 0 for other links. */
static uint64_t link_read(struct app *app, struct reader *in, struct writer *path,
                          struct writer *query)
{
    uint64_t number = 0;

    if (!take_text(in, "/") || !take_text(in, app->store.record.location) || !take_text(in, "/"))
        return 0;
    while (in->left > 0 && *in->at != '?' && *in->at != '>')
        writer_u8(path, reader_u8(in));
    if (!take_text(in, "?command="))
        return 0;
    writer_str(query, "command=");
    while (in->left > 0 && *in->at >= '0' && *in->at <= '9') {
        uint8_t digit = reader_u8(in);

        if (number > JOSE_SEQ_MAX / 10)
            return 0;
        number = number * 10 + (uint64_t)(digit - '0');
        writer_u8(query, digit);
    }
    writer_u8(path, '\0');
    writer_u8(query, '\0');
    return take_text(in, ">") && !path->failed && !query->failed ? number : 0;
}

/* Finds the first link to a command that this wake-up has not handled, and sets `app->command` to
 * its number. The list may end within a link, because only its first block was requested. */
static bool choose_command(struct app *app, const struct coap_answer *answer, char *path,
                           size_t path_size, char *query, size_t query_size)
{
    struct reader in;

    reader_init(&in, answer->payload, answer->payload_len);
    while (in.left > 0) {
        struct writer path_out;
        struct writer query_out;
        uint64_t number;

        if (reader_u8(&in) != '<')
            continue;
        writer_init(&path_out, (uint8_t *)path, path_size);
        writer_init(&query_out, (uint8_t *)query, query_size);
        number = link_read(app, &in, &path_out, &query_out);
        if (number > app->listed && number <= JOSE_SEQ_MAX) {
            app->command = app->listed = number;
            return true;
        }
    }
    return false;
}

/* Ends the check in this wake-up; it stays due for the next one. */
static enum app_step check_refused(struct app *app, uint64_t now)
{
    app_refused(app, now);
    app->checks_left = 0;
    return APP_STEP_CONTINUE;
}

/* Schedules a reading that shows the effect: of the sensor with the command's path, else of the
 * first sensor. */
static void schedule_reading(struct app *app, const char *path)
{
    const struct app_config *config = &app->config;

    if (app->sensor < app->sensor_end || config->sensor_count == 0)
        return; /* all readings follow anyway */
    app->sensor = 0;
    for (size_t i = 0; i < config->sensor_count; i++)
        if (app_text_equal(config->sensors[i].path, path))
            app->sensor = i;
    app->kept = app->sensor;
    app->sensor_end = app->sensor + 1;
}

/* Reports again the result of a command that was begun and reported before: a mirror that still
 * lists it was restored from a backup. */
static enum app_step report_again(struct app *app, const char *path)
{
    const struct store_record *record = &app->store.record;

    if (app->command == record->acted) {
        app->store.record.ack_due = true;
        schedule_reading(app, path);
    } else {
        app_refuse_command(app,
                           app->command == record->command ? APP_REASON_FAILED : APP_REASON_BEGUN);
    }
    return APP_STEP_CONTINUE;
}

static enum app_step list_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    char path[APP_PATH_MAX + 1];
    int error;

    if (answer->code != COAP_CONTENT) {
        enum app_step next = check_refused(app, now);
        bool lost = !app->update_accepted && app_registration_lost(answer->code);

        return lost ? app_register_again(app, now) : next;
    }
    if (!choose_command(app, answer, path, sizeof path, app->command_query,
                        sizeof app->command_query)) {
        app->check_due = false;
        return APP_STEP_CONTINUE;
    }
    if (app->command <= app->store.record.command)
        return report_again(app, path);
    error = app_path_write(app, path);
    return error == MOTE_OK
               ? get(app, APP_FETCHING_COMMAND, app->command_query, COAP_FORMAT_JWS, now)
               : app_failed(app, error);
}

/* The keys that may command: those set by a command, else the configured ones. */
static struct jose_authority authority(const struct app *app)
{
    const struct app_config *config = &app->config;
    const struct store_record *record = &app->store.record;
    bool replaced = record->commander_count > 0;

    return (struct jose_authority){
        .hash = config->hash,
        .curve = config->curve,
        .commanders =
            replaced ? (const uint8_t(*)[P256_PUBLIC_SIZE])record->commanders : config->commanders,
        .commander_count = replaced ? record->commander_count : config->commander_count,
        .ep = config->ep,
        .domain = config->domain};
}

static int replace_commanders(struct app *app, const struct jose_command *command)
{
    uint8_t points[STORE_COMMANDERS][P256_PUBLIC_SIZE];
    int count = jwks_read(command->payload, command->payload_len, points, STORE_COMMANDERS);
    int error = count < 0 ? count : store_begin_command(&app->store, command->seq);

    return error != MOTE_OK ? error : store_set_commanders(&app->store, points, (size_t)count);
}

static int refuse_for(struct app *app, int error, enum app_reason reason)
{
    app_refuse_command(app, reason);
    return error;
}

/* Refuses a command that cannot be used. After a storage error there is no refusal: the command is
 * fetched again. */
static int refuse_content(struct app *app, int error)
{
    enum app_reason reason = APP_REASON_CONTENT;

    if (error == MOTE_OK || error == MOTE_E_IO)
        return error;
    if (error == MOTE_E_SPACE)
        reason = APP_REASON_TOO_LARGE;
    if (error == MOTE_E_AUTH || error == MOTE_E_STATE) /* or it is for another endpoint */
        reason = APP_REASON_NOT_PERMITTED;
    return refuse_for(app, error, reason);
}

static int act(struct app *app, const struct actuator *actuator, const struct jose_command *command)
{
    int error = store_begin_command(&app->store, command->seq);

    if (error != MOTE_OK)
        return error;
    error = actuator->act(actuator->context, command->cty, command->payload, command->payload_len);
    if (error == MOTE_OK)
        return store_end_command(&app->store);
    return refuse_for(app, error,
                      error == MOTE_E_MALFORMED || error == MOTE_E_UNSUPPORTED ? APP_REASON_CONTENT
                                                                               : APP_REASON_FAILED);
}

/* Stores that the command is begun, carries it out, and stores that it is done. After a loss of
 * power it is neither carried out twice nor acknowledged without having been carried out. */
static int carry_out(struct app *app, const struct jose_command *command)
{
    const struct app_config *config = &app->config;

    if (app_text_equal(command->path, KEYS_PATH))
        return refuse_content(app, replace_commanders(app, command));
    for (size_t i = 0; i < config->actuator_count; i++)
        if (app_text_equal(config->actuators[i].path, command->path))
            return act(app, &config->actuators[i], command);
    return refuse_for(app, MOTE_E_UNSUPPORTED, APP_REASON_NO_RESOURCE);
}

/* Checks that the command is authentic, for this endpoint and new. */
static int examine(struct app *app, struct jose_command *command)
{
    const struct app_config *config = &app->config;
    const struct jose_authority who = authority(app);
    int error = jose_command_open(&who, config->body, app->client.answer.payload_len,
                                  config->coap.answer, config->coap.answer_size, command);

    if (error != MOTE_OK)
        return error;
    return command->seq <= app->store.record.command ? MOTE_E_REPLAY : MOTE_OK;
}

static bool has_expired(const struct app *app, const struct jose_command *command, uint64_t now)
{
    uint64_t seconds;

    return command->expires > 0 && app_time(app, now, &seconds) && command->expires <= seconds;
}

static enum app_step command_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    struct jose_command command;
    const char *path = NULL; /* reported only if the command is authentic */
    int error;

    if (answer->code == COAP_NOT_FOUND) /* expired or cancelled meanwhile */
        return APP_STEP_CONTINUE;
    if (answer->code != COAP_CONTENT) /* after a later command this one would be too old */
        return check_refused(app, now);
    error = refuse_content(app, examine(app, &command));
    if (error == MOTE_OK) {
        path = command.path;
        /* The mirror knows when a command expires, so an expired command is skipped. */
        error = has_expired(app, &command, now) ? MOTE_E_STATE : carry_out(app, &command);
    }
    report(app, path, error);
    if (error == MOTE_OK)
        schedule_reading(app, path);
    return error == MOTE_E_IO ? app_failed(app, error) : APP_STEP_CONTINUE;
}

static enum app_step too_long(struct app *app)
{
    report(app, NULL, refuse_content(app, MOTE_E_SPACE));
    return APP_STEP_CONTINUE;
}

static enum app_step refuse(struct app *app, uint64_t now)
{
    int error;

    app->state = APP_REFUSING;
    app->refusal_tried = true;
    error = app_send_update(app, now);
    return error == MOTE_OK ? APP_STEP_WAIT : app_failed(app, error);
}

/* A mirror without support for results answers 4.04, and so does a mirror that has forgotten the
 * command. */
static enum app_step refusal_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;

    if (answer->code >> 5 != 2)
        app_refused(app, now);
    if (answer->code == COAP_UNAUTHORIZED || answer->code == COAP_CONFLICT) {
        app->refusal_tried = app->registration_tried;
        return app_register_again(app, now);
    }
    if (answer->code != COAP_FORBIDDEN && !app_overloaded(answer->code))
        app->reason = APP_REASON_NONE;
    return APP_STEP_CONTINUE;
}

static enum app_step answered(struct app *app, uint64_t now)
{
    switch (app->state) {
    case APP_LISTING_COMMANDS:
        return list_answered(app, now);
    case APP_FETCHING_COMMAND:
        return command_answered(app, now);
    default:
        return refusal_answered(app, now);
    }
}

const struct app_commands app_commands = {check, answered, too_long, refuse};
