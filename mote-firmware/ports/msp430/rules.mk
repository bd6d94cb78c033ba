# Images for a simulated MSP430F1611 (mspdebug), the processor of the Tmote Sky, only to measure.
# Debian has no GCC for it; clang has the target, but no libraries.
MSP = $(B)/msp430
MSP_TARGET = -target msp430 -mmcu=msp430f1611 -mhwmult=16bit -Os -ffreestanding -fno-builtin \
    -ffunction-sections -fdata-sections
MSP_CFLAGS = -std=c11 $(MSP_TARGET) -Wall -Wextra -Wshadow -Werror \
    -Iports/msp430/include -Iinclude -Ibench -isystem $(CM_BEARSSL)/inc

msp_objects = $(patsubst %.c,$(MSP)/%.o,$(1))

$(MSP)/libbearssl.a: ports/msp430/rules.mk | $(CM_BEARSSL)
	@rm -rf $(MSP)/bearssl && mkdir -p $(MSP)/bearssl
	cd $(CM_BEARSSL)/src && ls $(SMALL_BEARSSL) | xargs -P 2 -I{} sh -c '$(CLANG) $(MSP_TARGET) -w \
	    -I$(abspath ports/msp430/include) -I../inc -I. -c {} \
	    -o $(abspath $(MSP))/bearssl/$$(basename {} .c).o || exit 255'
	@rm -f $@
	$(AR) rcs $@ $(MSP)/bearssl/*.o

$(MSP)/%.o: %.c Makefile ports/msp430/rules.mk | $(CM_BEARSSL)
	@mkdir -p $(@D)
	$(CLANG) $(MSP_CFLAGS) -MMD -c -o $@ $<

$(MSP)/%.o: %.S Makefile ports/msp430/rules.mk
	@mkdir -p $(@D)
	$(CLANG) $(MSP_TARGET) -c -o $@ $<

$(MSP)/evaluate.elf: ports/msp430/msp430f1611.ld $(MSP)/ports/msp430/start.o \
    $(call msp_objects,bench/evaluate.c bench/cost_cycles.c ports/msp430/cost.c ports/msp430/library.c \
    $(SMALL_CORE)) $(MSP)/libbearssl.a
	ld.lld -T $^ --gc-sections -o $@

msp430:
	@if why=$$(ports/msp430/have.sh $(B)); then $(MAKE) $(MSP)/evaluate.elf; \
	else echo "skipped: the image for the MSP430F1611 ($$why)"; fi

.PHONY: msp430
