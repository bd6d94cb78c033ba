/* The POSIX port: sensors on files in Linux's format, the state file, the UDP link. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "mote/store.h"
#include "port.h"

static char folder[] = "/tmp/vigil-mote-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s%s", folder, name);
    return path;
}

/* Creates the file and the folders above it. */
static void put(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s", in_folder(name));
    for (char *c = path + strlen(folder) + 1; *c != '\0'; c++)
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(path, 0700);
            *c = '/';
        }
    file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static bool reads(const struct sensor *sensor, int64_t digits, unsigned places)
{
    struct decimal value;

    return sensor->read(sensor->context, &value) == MOTE_OK && value.digits == digits &&
           value.places == places;
}

TEST(reads_decimal_numbers_without_floating_point)
{
    const struct {
        const char *text;
        bool good;
        struct decimal value;
    } cases[] = {{"23.10\n", true, {2310, 2}},
                 {"-0.5", true, {-5, 1}},
                 {"+7 x", true, {7, 0}},
                 {"1.2.3", true, {12, 1}},
                 {"", false, {0, 0}},
                 {"-", false, {0, 0}},
                 {".", false, {0, 0}},
                 {"x", false, {0, 0}},
                 {"999999999999999999", true, {999999999999999999, 0}},
                 {"9999999999999999999", false, {0, 0}}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal value;

        CHECK_INT(decimal_parse(cases[i].text, &value), cases[i].good);
        if (cases[i].good) {
            CHECK_INT(value.digits, cases[i].value.digits);
            CHECK_INT(value.places, cases[i].value.places);
        }
    }
}

TEST(reads_load_and_memory_as_linux_writes_them)
{
    struct sensor sensor;
    struct host_sensor host;

    put("/proc/loadavg", "1.28 0.63 0.46 2/412 12345\n");
    put("/proc/meminfo", "MemTotal:       32000000 kB\nMemFree:        1000 kB\n"
                         "MemAvailable:   24240200 kB\n");
    REQUIRE(load_sensor(&sensor, &host, folder));
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    CHECK(reads(&sensor, (1280 + processors / 2) / processors, 3));
    CHECK(strcmp(sensor.unit, "/") == 0);
    REQUIRE(memory_sensor(&sensor, &host, folder));
    CHECK(reads(&sensor, 24240200LL * 1024, 0));
    put("/proc/meminfo", "MemTotal: 5 kB\n");
    struct decimal value;
    CHECK_INT(sensor.read(sensor.context, &value), MOTE_E_IO);
}

TEST(sums_the_received_and_sent_octets_of_all_interfaces)
{
    struct sensor sensor;
    struct host_sensor host;
    struct decimal value;

    CHECK(!network_sensor(&sensor, &host, folder));
    put("/proc/net/dev", "Inter-|   Receive       |  Transmit\n"
                         " face |bytes packets errs|bytes packets\n"
                         "    lo:  1000 2 0 0 0 0 0 0  1000 2 0 0 0 0 0 0\n"
                         "  eth0: 5000000000 3 0 0 0 0 0 0 70 1 0 0 0 0 0 0\n");
    REQUIRE(network_sensor(&sensor, &host, folder));
    CHECK(reads(&sensor, 5000002070, 0));
    put("/proc/net/dev", "nothing\n");
    CHECK_INT(sensor.read(sensor.context, &value), MOTE_E_IO);
}

TEST(reads_this_machine)
{
    struct sensor sensor;
    struct host_sensor host;
    struct decimal value;

    REQUIRE(load_sensor(&sensor, &host, ""));
    CHECK(sensor.read(sensor.context, &value) == MOTE_OK && value.digits >= 0);
    REQUIRE(memory_sensor(&sensor, &host, ""));
    CHECK(sensor.read(sensor.context, &value) == MOTE_OK && value.digits > 0);
    REQUIRE(disk_sensor(&sensor, &host, ""));
    CHECK(sensor.read(sensor.context, &value) == MOTE_OK && value.digits >= 0);
    CHECK(strcmp(sensor.unit, "B") == 0);
    REQUIRE(network_sensor(&sensor, &host, ""));
    CHECK(sensor.read(sensor.context, &value) == MOTE_OK && value.digits >= 0);
    if (temperature_sensor(&sensor, &host, ""))
        CHECK(sensor.read(sensor.context, &value) == MOTE_OK);
    else
        printf("skipped: this machine shows no temperature\n");
}

TEST(finds_a_temperature_in_thermal_zones_or_hwmon)
{
    struct sensor sensor;
    struct host_sensor host;

    CHECK(!temperature_sensor(&sensor, &host, folder));
    put("/sys/class/hwmon/hwmon3/temp2_input", "-1500\n");
    REQUIRE(temperature_sensor(&sensor, &host, folder));
    CHECK(reads(&sensor, -1500, 3));
    put("/sys/class/thermal/thermal_zone0/temp", "broken\n");
    put("/sys/class/thermal/thermal_zone1/temp", "48500\n");
    REQUIRE(temperature_sensor(&sensor, &host, folder));
    CHECK(reads(&sensor, 48500, 3));
}

TEST(replays_the_last_column_of_a_csv_file_endlessly)
{
    struct sensor sensor;
    struct host_sensor host;

    put("/greenhouse.csv", "time,humidity,\"temperature (Cel)\"\n");
    CHECK(!csv_sensor(&sensor, &host, in_folder("/greenhouse.csv")));
    put("/greenhouse.csv", "time,temperature (Cel)\r\n1,21.5\r\n2,n/a\r\n3,-0.25\r\n");
    REQUIRE(csv_sensor(&sensor, &host, in_folder("/greenhouse.csv")));
    CHECK(strcmp(sensor.path, "temperature") == 0 && strcmp(sensor.unit, "Cel") == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(reads(&sensor, 215, 1));
        CHECK(reads(&sensor, -25, 2));
    }
    fclose(host.csv.file);
    CHECK(!csv_sensor(&sensor, &host, in_folder("/absent.csv")));
}

TEST(keeps_both_slots_in_one_private_file)
{
    static const uint8_t key[STORE_KEY_SIZE] = {1};
    struct state_file file;
    struct storage storage;
    struct store store;
    struct stat status;
    char problem[300];
    uint64_t number = 0;

    REQUIRE(state_file_open(&file, in_folder("/a.state"), &storage, problem, sizeof problem) == 0);
    CHECK_INT(store_open(&store, &storage), MOTE_E_STATE);
    CHECK_INT(store_create(&store, key), MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK(stat(in_folder("/a.state"), &status) == 0 && (status.st_mode & 0777) == 0600);
    state_file_close(&file);
    REQUIRE(state_file_open(&file, in_folder("/a.state"), &storage, problem, sizeof problem) == 0);
    CHECK_INT(store_open(&store, &storage), MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 65);
    state_file_close(&file);
}

TEST(refuses_a_state_file_that_others_may_read)
{
    struct state_file file;
    struct storage storage;
    char problem[300];

    put("/open.state", "");
    CHECK(chmod(in_folder("/open.state"), 0644) == 0);
    CHECK_INT(state_file_open(&file, in_folder("/open.state"), &storage, problem, sizeof problem),
              -1);
    CHECK(strstr(problem, "chmod 600") != NULL);
}

TEST(sends_although_an_earlier_datagram_was_refused)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    struct udp_link udp;
    struct link link;
    char problem[300];
    char port[8];
    uint8_t got[8];
    int peer = socket(AF_INET, SOCK_DGRAM, 0);

    REQUIRE(bind(peer, (struct sockaddr *)&address, len) == 0);
    REQUIRE(getsockname(peer, (struct sockaddr *)&address, &len) == 0);
    snprintf(port, sizeof port, "%u", ntohs(address.sin_port));
    close(peer);
    REQUIRE(udp_link_open(&udp, "127.0.0.1", port, &link, problem, sizeof problem) == 0);
    CHECK_INT(link.wire.send(link.wire.context, (const uint8_t *)"a", 1), MOTE_OK);
    peer = socket(AF_INET, SOCK_DGRAM, 0);
    REQUIRE(bind(peer, (struct sockaddr *)&address, len) == 0);
    CHECK_INT(link.wire.send(link.wire.context, (const uint8_t *)"b", 1), MOTE_OK);
    CHECK(recv(peer, got, sizeof got, 0) == 1 && got[0] == 'b');
    CHECK_INT(link.receive(link.context, got, sizeof got, 0), 0);
    close(peer);
    close(udp.fd);
}

TEST(accepts_the_values_that_the_attributes_of_a_link_allow)
{
    const char level[] = ";minimum=-5;maximum=\"10.5\";multipleOf=0.1";
    const char fan[] = ";title=\"enum\";enum=\"0 1.5 3\"";
    const struct {
        const char *attributes;
        struct decimal value;
        bool accepted;
    } cases[] = {{level, {-5, 0}, true},
                 {level, {-51, 1}, false},
                 {level, {105, 1}, true},
                 {level, {1050, 2}, true},
                 {level, {106, 1}, false},
                 {level, {15, 2}, false},
                 {level, {1, 10}, false},
                 {fan, {15, 1}, true},
                 {fan, {0, 0}, true},
                 {fan, {1, 0}, false},
                 {fan, {3, 0}, true},
                 {";obs", {7, 0}, true},
                 {";obs", {INT64_MAX, 0}, false},
                 {";multipleOf=0", {7, 0}, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_INT(host_value_accepted(cases[i].attributes, cases[i].value), cases[i].accepted);
}

TEST(splits_an_actuator_into_its_path_and_the_attributes_of_its_link)
{
    struct host_actuator host;
    struct actuator actuator;
    struct sensor sensor;
    struct decimal value;
    uint64_t wake_ms = 1000;
    const char order[] = "[{\"v\":50}]";
    const char excess[] = "[{\"v\":101}]";

    REQUIRE(host_actuator(&actuator, &sensor, &host, "level;maximum=100", &wake_ms));
    CHECK(strcmp(actuator.path, "level") == 0);
    CHECK(strcmp(sensor.attributes, ";maximum=100") == 0);
    CHECK_INT(
        actuator.act(&host, "application/senml+json", (const uint8_t *)excess, sizeof excess - 1),
        MOTE_E_MALFORMED);
    CHECK_INT(
        actuator.act(&host, "application/senml+json", (const uint8_t *)order, sizeof order - 1),
        MOTE_OK);
    CHECK(sensor.read(&host, &value) == MOTE_OK && value.digits == 50);
    REQUIRE(host_actuator(&actuator, &sensor, &host, "led", &wake_ms));
    CHECK(sensor.attributes == NULL);
    CHECK(!host_actuator(&actuator, &sensor, &host, ";maximum=1", &wake_ms));
}

TEST(a_refused_command_leaves_the_interval_between_wake_ups_alone)
{
    static const char *const options[] = {"wake;minimum=1", "wake;multipleOf=5"};
    static const char *const orders[] = {"[{\"v\":3600000}]", "[{\"v\":0}]"};
    struct host_actuator host;
    struct actuator actuator;
    struct sensor sensor;
    uint64_t wake_ms = 1000;

    for (size_t i = 0; i < 2; i++) {
        REQUIRE(host_actuator(&actuator, &sensor, &host, options[i], &wake_ms));
        CHECK_INT(actuator.act(&host, "application/senml+json", (const uint8_t *)orders[i],
                               strlen(orders[i])),
                  MOTE_E_MALFORMED);
        CHECK_INT(wake_ms, 1000);
    }
}

int main(void)
{
    char command[300];

    if (mkdtemp(folder) == NULL)
        return EXIT_FAILURE;
    RUN(reads_decimal_numbers_without_floating_point);
    RUN(reads_load_and_memory_as_linux_writes_them);
    RUN(sums_the_received_and_sent_octets_of_all_interfaces);
    RUN(reads_this_machine);
    RUN(finds_a_temperature_in_thermal_zones_or_hwmon);
    RUN(replays_the_last_column_of_a_csv_file_endlessly);
    RUN(keeps_both_slots_in_one_private_file);
    RUN(refuses_a_state_file_that_others_may_read);
    RUN(sends_although_an_earlier_datagram_was_refused);
    RUN(accepts_the_values_that_the_attributes_of_a_link_allow);
    RUN(splits_an_actuator_into_its_path_and_the_attributes_of_its_link);
    RUN(a_refused_command_leaves_the_interval_between_wake_ups_alone);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) == 0 ? harness_report() : EXIT_FAILURE;
}
