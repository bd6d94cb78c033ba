# Images for an emulated Cortex-M3 (QEMU's mps2-an385), with BearSSL from Debian's source package.
CM = $(B)/cortex-m
CM_CC = arm-none-eabi-gcc
CM_TARGET = -mcpu=cortex-m3 -mthumb -Os -ffunction-sections -fdata-sections
CM_BEARSSL = $(B)/bearssl/source
CM_CFLAGS = -std=c11 $(CM_TARGET) -g $(WARN) -fstack-usage -Iinclude -isystem $(CM_BEARSSL)/inc \
    -Iports/cortex-m -Ibench -DLOWPAN_ROUTE_MAX=0
CM_LINK = $(CM_TARGET) -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings -T ports/cortex-m/mps2-an385.ld

# Tests that need only the core; the others are the ports'.
CM_TESTS := $(filter-out %/test_associations.c %/test_contiki.c %/test_cortex_m.c %/test_dtls_link.c %/test_esp_host.c %/test_mesh.c \
    %/test_posix.c %/test_psk_file.c %/test_radio.c \
    %/test_sa_file.c %/test_secrets.c %/test_store_options.c %/test_store_request.c,$(TESTS))
CM_IMAGES = $(CM_TESTS:tests/%.c=$(CM)/%.elf) $(CM)/bench.elf $(CM)/endpoint-full.elf \
    $(CM)/endpoint-plain.elf $(CM)/endpoint-esp.elf
CM_PORT = $(addprefix ports/cortex-m/,endpoint.c link.c esp.c nv.c board.c slip_radio.c startup.c)

cm_objects = $(patsubst %.c,$(CM)/%.o,$(1))

cortex-m:
	@if why=$$(ports/cortex-m/have.sh $(B)); then $(MAKE) $(CM_IMAGES); \
	else echo "skipped: images for Cortex-M3 ($$why)"; fi

cortex-m-test:
	@if why=$$(ports/cortex-m/have.sh $(B) run); then $(MAKE) $(CM_IMAGES) && \
	    ports/cortex-m/test.sh $(B); \
	else echo "skipped: tests on an emulated Cortex-M3 ($$why)"; fi

# Prints the endpoint's figures next to the papers', or the reason why there are none.
cm_report = if why=$$(ports/cortex-m/have.sh $(B) run); then \
    $(MAKE) --no-print-directory $(CM_IMAGES) >$(CM)-build.log 2>&1 || { cat $(CM)-build.log; exit 1; }; \
    bench/cortex.sh $(B) $(1); \
    else echo "skipped: the endpoint on an emulated Cortex-M3 ($$why)"; fi

$(B)/bearssl/source:
	ports/cortex-m/bearssl.sh $(B)/bearssl >$(B)/bearssl.log 2>&1 || { cat $(B)/bearssl.log; exit 1; }

# Peeled multiplication loops: 1.7 KB more flash, an eighth fewer instructions.
CM_FAST = -O2 -fpeel-loops -fno-unroll-loops -fno-tree-vectorize -fno-schedule-insns \
    -fno-schedule-insns2

# The parts of BearSSL for motes; only used ones are linked.
# BR_CT_MUL31 sets the top bit of both factors, because the Cortex-M3's long multiplication takes
# longer for larger factors.
$(CM)/libbearssl.a: ports/cortex-m/rules.mk | $(CM_BEARSSL)
	@rm -rf $(CM)/bearssl && mkdir -p $(CM)/bearssl
	cd $(CM_BEARSSL)/src && ls ec/*.c int/*.c hash/*.c mac/*.c codec/*.c rand/hmac_drbg.c \
	    symcipher/aes_ct*.c symcipher/aes_common.c symcipher/aes_small*.c symcipher/aes_big*.c | \
	    xargs -P 2 -I{} sh -c '$(CM_CC) $(CM_TARGET) -w -fstack-usage -DBR_CT_MUL31=1 -I../inc \
	    -I. -c {} \
	    -o $(abspath $(CM))/bearssl/$$(basename {} .c).o || exit 255'
	$(CM_CC) $(CM_TARGET) $(CM_FAST) -w -fstack-usage -DBR_CT_MUL31=1 -I$(CM_BEARSSL)/inc \
	    -I$(CM_BEARSSL)/src -c $(CM_BEARSSL)/src/ec/ec_p256_m31.c -o $(CM)/bearssl/ec_p256_m31.o
	@rm -f $@
	arm-none-eabi-ar rcs $@ $(CM)/bearssl/*.o

$(CM)/%.o: %.c Makefile ports/cortex-m/rules.mk | $(CM_BEARSSL)
	@mkdir -p $(@D)
	$(CM_CC) $(CM_CFLAGS) $(if $(filter tests/%,$<),-Itests) -MMD -c -o $@ $<

$(CM)/libmote.a: $(call cm_objects,$(CORE))
	@rm -f $@
	arm-none-eabi-ar rcs $@ $^

CM_TEST_SUPPORT = $(call cm_objects,$(addprefix tests/support/,fake.c ram_blocks.c rpl.c station.c))
CM_HOSTED = $(call cm_objects,ports/cortex-m/startup.c ports/cortex-m/semihosted.c)
$(CM)/test_%.elf: $(CM)/tests/test_%.o $(CM_TEST_SUPPORT) $(CM_HOSTED) $(CM)/libmote.a $(CM)/libbearssl.a
	$(CM_CC) $(CM_LINK) --specs=rdimon.specs -o $@ $^

$(CM)/bench.elf: $(call cm_objects,ports/cortex-m/bench.c ports/cortex-m/mirror.c ports/cortex-m/measure.c bench/operations.c $(filter-out %/slip_radio.c %/startup.c,$(CM_PORT))) $(CM_HOSTED) $(CM)/libmote.a $(CM)/libbearssl.a
	$(CM_CC) $(CM_LINK) --specs=rdimon.specs -o $@ $^

CM_MOTE = $(call cm_objects,$(CM_PORT) ports/cortex-m/alone.c) $(CM)/libmote.a $(CM)/libbearssl.a
$(CM)/endpoint-%.elf: ports/cortex-m/main.c ports/cortex-m/mps2-an385.ld $(CM_MOTE)
	$(CM_CC) $(CM_CFLAGS) $(CM_OPTION) -c -o $(CM)/main-$*.o $<
	$(CM_CC) $(CM_LINK) --specs=nano.specs -o $@ $(CM)/main-$*.o $(CM_MOTE)
$(CM)/endpoint-full.elf: CM_OPTION = -DENCRYPT
$(CM)/endpoint-esp.elf: CM_OPTION = -DESP

# The endpoint under other configurations of IPsec, only to measure sizes (./vigil evaluate).
CM_GUARDS = ah-sha1 ah-xcbc ah-hardware esp-null-xcbc esp-ctr-xcbc esp-cbc-xcbc esp-hardware esp-cached
$(CM)/guard-ah-sha1.o: CM_GUARD = -DGUARD_AH -DGUARD_SHA1 '-DGUARD_INTEGRITY=&ipsec_hmac_sha1_96'
$(CM)/guard-ah-xcbc.o: CM_GUARD = -DGUARD_AH
$(CM)/guard-ah-hardware.o: CM_GUARD = -DGUARD_AH -DGUARD_HARDWARE
$(CM)/guard-esp-null-xcbc.o: CM_GUARD = '-DGUARD_CIPHER=&ipsec_null'
$(CM)/guard-esp-cbc-xcbc.o: CM_GUARD = -DGUARD_INVERSE '-DGUARD_CIPHER=&ipsec_aes_cbc'
$(CM)/guard-esp-hardware.o: CM_GUARD = -DGUARD_HARDWARE
$(CM)/guard-esp-cached.o: CM_GUARD = -DGUARD_CACHE
$(CM)/guard-%.o: ports/cortex-m/esp.c ports/cortex-m/rules.mk | $(CM_BEARSSL)
	@mkdir -p $(@D)
	$(CM_CC) $(CM_CFLAGS) $(CM_GUARD) -c -o $(CM)/alone-$*.o $<
	$(CM_CC) $(CM_CFLAGS) $(CM_GUARD) -c -o $(CM)/link-$*.o ports/cortex-m/link.c
	arm-none-eabi-ld -r -o $@ $(CM)/alone-$*.o $(CM)/link-$*.o
CM_GUARDED = $(filter-out %/ports/cortex-m/esp.o %/ports/cortex-m/link.o,$(CM_MOTE))
$(CM)/guarded-%.elf: $(CM)/guard-%.o ports/cortex-m/main.c ports/cortex-m/mps2-an385.ld $(CM_GUARDED)
	$(CM_CC) $(CM_CFLAGS) -DESP -c -o $(CM)/main-guarded-$*.o ports/cortex-m/main.c
	$(CM_CC) $(CM_LINK) --specs=nano.specs -o $@ $(CM)/main-guarded-$*.o $< $(CM_GUARDED)

$(CM)/evaluate.elf: $(call cm_objects,bench/evaluate.c ports/cortex-m/cost.c ports/cortex-m/measure.c ports/cortex-m/board.c) $(CM_HOSTED) $(CM)/libmote.a $(CM)/libbearssl.a
	$(CM_CC) $(CM_LINK) --specs=rdimon.specs -o $@ $^

# Everything that ./vigil evaluate reads.
evaluate-images: $(CM)/evaluate.elf $(CM)/bench.elf $(CM)/endpoint-plain.elf $(CM)/endpoint-full.elf \
    $(CM_GUARDS:%=$(CM)/guarded-%.elf)

.PHONY: cortex-m cortex-m-test evaluate-images
