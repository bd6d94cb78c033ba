# Images for a simulated ATmega2560 (simavr), the processor of Sethi's board, only to measure.
AVR = $(B)/avr
AVR_TARGET = -mmcu=atmega2560 -Os -ffunction-sections -fdata-sections
AVR_CFLAGS = -std=c11 $(AVR_TARGET) -Wall -Wextra -Wshadow -Werror -DF_CPU=16000000 -DEVALUATE_MOST=64 \
    -Iinclude -Ibench -isystem $(CM_BEARSSL)/inc
# The parts of the core that the images of small processors need.
SMALL_CORE := $(wildcard $(addprefix core/,base/*.c block_store/*.c crypto/*.c ieee802154/*.c ipsec/*.c ipv6/*.c))
SMALL_BEARSSL = ec/*.c int/*.c hash/*.c mac/*.c codec/*.c rand/hmac_drbg.c symcipher/aes_ct*.c \
    symcipher/aes_common.c symcipher/aes_big*.c

avr_objects = $(patsubst %.c,$(AVR)/%.o,$(1))

$(AVR)/libbearssl.a: ports/avr/rules.mk | $(CM_BEARSSL)
	@rm -rf $(AVR)/bearssl && mkdir -p $(AVR)/bearssl
	cd $(CM_BEARSSL)/src && ls $(SMALL_BEARSSL) | xargs -P 2 -I{} sh -c 'avr-gcc $(AVR_TARGET) -w \
	    -I../inc -I. -c {} -o $(abspath $(AVR))/bearssl/$$(basename {} .c).o || exit 255'
	@rm -f $@
	avr-ar rcs $@ $(AVR)/bearssl/*.o

$(AVR)/%.o: %.c Makefile ports/avr/rules.mk | $(CM_BEARSSL)
	@mkdir -p $(@D)
	avr-gcc $(AVR_CFLAGS) -MMD -c -o $@ $<

$(AVR)/%.elf: $(AVR)/bench/%.o $(call avr_objects,$(SMALL_CORE) bench/cost_cycles.c ports/avr/cost.c) $(AVR)/libbearssl.a
	avr-gcc $(AVR_TARGET) -Wl,--gc-sections -o $@ $^

avr:
	@if why=$$(ports/avr/have.sh $(B)); then $(MAKE) $(AVR)/evaluate.elf $(AVR)/signatures.elf; \
	else echo "skipped: images for the ATmega2560 ($$why)"; fi

.PHONY: avr
