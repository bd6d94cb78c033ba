# vigil-mote with DTLS: Mbed TLS from Debian's source package, built with dtls/config.h. The
# normal build does not need it.
MBEDTLS = $(B)/mbedtls/source
MBEDTLS_FILES = aes block_cipher ccm cipher cipher_wrap constant_time md memory_buffer_alloc platform \
    platform_util sha256 ssl_ciphersuites ssl_client ssl_msg ssl_tls ssl_tls12_client
MBEDTLS_FLAGS = -isystem $(MBEDTLS)/include -Idtls -DMBEDTLS_CONFIG_FILE='<config.h>'
DTLS_FLAGS = $(POSIX_CFLAGS) $(MBEDTLS_FLAGS)

$(MBEDTLS):
	@mkdir -p $(@D)
	dtls/mbedtls.sh $(B)/mbedtls >$(B)/mbedtls.log 2>&1 || { cat $(B)/mbedtls.log; exit 1; }

$(B)/dtls/mbedtls/%.o: dtls/config.h dtls/rules.mk | $(MBEDTLS)
	@mkdir -p $(@D)
	$(CC) -std=c11 $(OPT) -g -w $(MBEDTLS_FLAGS) -I$(MBEDTLS)/library -c -o $@ $(MBEDTLS)/library/$*.c

$(B)/dtls/%.o: %.c Makefile dtls/rules.mk | $(MBEDTLS)
	@mkdir -p $(@D)
	$(CC) $(DTLS_FLAGS) -MMD -c -o $@ $<

$(B)/posix/vigil-mote-dtls: $(call objects,plain,$(MAIN) $(PORT)) $(B)/dtls/dtls/client.o \
    $(MBEDTLS_FILES:%=$(B)/dtls/mbedtls/%.o) $(B)/libmote.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

dtls:
	@if [ -d $(MBEDTLS) ] || command -v apt-get >/dev/null; then $(MAKE) $(B)/posix/vigil-mote-dtls; \
	else echo "skipped: vigil-mote-dtls (apt-get is missing, which downloads Mbed TLS's source)"; fi

.PHONY: dtls

# ---- ./vigil evaluate: a recorded session, in networks in virtual time and on the Cortex-M3 ----

DTLS_HOST = $(B)/dtls/dtls/client.o $(B)/dtls/dtls/replay.o $(MBEDTLS_FILES:%=$(B)/dtls/mbedtls/%.o)

$(B)/evaluate/dtls-record: $(B)/dtls/dtls/record.o $(DTLS_HOST) $(B)/plain/libport.a $(B)/libmote.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(B)/dtls/dtls/mesh.o $(B)/dtls/bench/%.o: DTLS_FLAGS += -Itests
$(B)/evaluate/dtls-mesh: $(B)/dtls/dtls/mesh.o $(addprefix $(B)/dtls/bench/,mesh.o air.o channel.o duty.o) $(DTLS_HOST) \
    $(B)/plain/libport.a $(B)/libmote.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# Two AES implementations: Mbed TLS's from tables, and the core's in constant time.
CM_DTLS_FLAGS = $(MBEDTLS_FLAGS) -DDTLS_CONTENT_MAX=384
# Mbed TLS ends the program if its heap is damaged.
CM_DTLS_LIBRARY = $(CM_DTLS_FLAGS) -include ports/cortex-m/startup.h -DMBEDTLS_PLATFORM_EXIT_MACRO=startup_exit
$(CM)/dtls-table/%.o $(CM)/dtls-table/lib/%.o: CM_DTLS_AES =
$(CM)/dtls-constant/%.o $(CM)/dtls-constant/lib/%.o: CM_DTLS_AES = -DDTLS_CORE_AES -I$(CM_BEARSSL)/inc -Iinclude

define cm_dtls
$(CM)/dtls-$(1)/lib/%.o: dtls/config.h dtls/rules.mk | $(MBEDTLS) $(CM_BEARSSL)
	@mkdir -p $$(@D)
	$(CM_CC) -std=c11 $(CM_TARGET) -g -w -fstack-usage $$(CM_DTLS_LIBRARY) $$(CM_DTLS_AES) -I$(MBEDTLS)/library \
	    -c -o $$@ $(MBEDTLS)/library/$$*.c

$(CM)/dtls-$(1)/%.o: %.c Makefile dtls/rules.mk ports/cortex-m/rules.mk | $(MBEDTLS) $(CM_BEARSSL)
	@mkdir -p $$(@D)
	$(CM_CC) $(CM_CFLAGS) $$(CM_DTLS_FLAGS) $$(CM_DTLS_AES) $$(if $$(filter %/main.c,$$<),-DDTLS) -MMD -c -o $$@ $$<

$(CM)/dtls-$(1).a: $$(MBEDTLS_FILES:%=$(CM)/dtls-$(1)/lib/%.o) $(CM)/dtls-$(1)/dtls/client.o \
    $$(if $$(filter constant,$(1)),$(CM)/dtls-$(1)/dtls/aes_alt.o)
	@rm -f $$@
	arm-none-eabi-ar rcs $$@ $$^

$(CM)/endpoint-dtls-$(1).elf: $(CM)/dtls-$(1)/ports/cortex-m/main.o $(CM)/dtls-$(1)/ports/cortex-m/dtls_endpoint.o \
    $$(call cm_objects,$$(CM_PORT) ports/cortex-m/alone.c) $(CM)/dtls-$(1).a $(CM)/libmote.a $(CM)/libbearssl.a
	$(CM_CC) $(CM_LINK) --specs=nano.specs -o $$@ $$^

$(CM)/dtls-$(1).elf: $(CM)/dtls-$(1)/ports/cortex-m/dtls_bench.o $(CM)/dtls-$(1)/dtls/replay.o \
    $$(call cm_objects,ports/cortex-m/measure.c ports/cortex-m/board.c) $$(CM_HOSTED) $(CM)/dtls-$(1).a \
    $(CM)/libmote.a $(CM)/libbearssl.a
	$(CM_CC) $(CM_LINK) --specs=rdimon.specs -o $$@ $$^
endef
$(eval $(call cm_dtls,table))
$(eval $(call cm_dtls,constant))

dtls-images: $(foreach aes,table constant,$(CM)/endpoint-dtls-$(aes).elf $(CM)/dtls-$(aes).elf)

.PHONY: dtls-images
