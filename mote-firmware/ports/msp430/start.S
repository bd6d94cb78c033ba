; The start of an image, the timer's interrupt, and the functions of the ABI (TI SLAA534, section
; 6.3) that clang calls. Multiplications use the MSP430F1611's hardware multiplier (TI SLAU049,
; chapter 7).
    .equ MPY, 0x130
    .equ MAC, 0x134
    .equ OP2, 0x138
    .equ RESLO, 0x13a
    .equ RESHI, 0x13c
    .equ TACTL, 0x160

    .section .text._start, "ax"
    .global _start
_start:
    mov #__stack, r1
    mov #__data_start, r12
    mov #__data_load, r13
1:  cmp #__data_end, r12
    jhs 2f
    mov @r13+, r15
    mov r15, 0(r12)
    incd r12
    jmp 1b
2:  mov #__bss_start, r12
3:  cmp #__bss_end, r12
    jhs 4f
    clr 0(r12)
    incd r12
    jmp 3b
4:  call #main
5:  jmp 5b

; TAIFG is cleared, because it alone is enabled.
    .global timer_wraps
timer_wraps:
    inc &cost_timer_wraps
    bic #1, &TACTL
    reti

    .section .vectors, "a"
    .skip 16
    .word timer_wraps
    .skip 12
    .word _start

    .section .text.shifts, "ax"
    .global __mspabi_slll
__mspabi_slll:
    and #31, r14
    cmp #16, r14
    jlo 1f
    mov r12, r13
    clr r12
    sub #16, r14
1:  tst r14
    jz 3f
2:  add r12, r12
    addc r13, r13
    dec r14
    jnz 2b
3:  ret

    .global __mspabi_srll
__mspabi_srll:
    and #31, r14
    cmp #16, r14
    jlo 1f
    mov r13, r12
    clr r13
    sub #16, r14
1:  tst r14
    jz 3f
2:  clrc
    rrc r13
    rrc r12
    dec r14
    jnz 2b
3:  ret

    .section .text.multiplications, "ax"
    .global __mspabi_mpyi_hw
__mspabi_mpyi_hw:
    mov r12, &MPY
    mov r13, &OP2
    mov &RESLO, r12
    ret

; The high halves are added to the high half of the product of the low halves.
    .global __mspabi_mpyl_hw
__mspabi_mpyl_hw:
    mov r12, &MPY
    mov r14, &OP2
    mov &RESLO, r11
    mov &RESHI, &RESLO
    mov r12, &MAC
    mov r15, &OP2
    mov r13, &MAC
    mov r14, &OP2
    mov &RESLO, r13
    mov r11, r12
    ret
