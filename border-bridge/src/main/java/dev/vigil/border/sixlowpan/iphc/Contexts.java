package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.List;

/**
 * The contexts: numbered prefixes that nodes of a network share (RFC 6282, section 3.1.2). Nothing
 * distributes them: Contiki-NG has context 0 built in, RIOT has none.
 */
public record Contexts(List<Context> list) {
  public static final Contexts NONE = new Contexts(List.of());

  /** Stands for the context of a stateless address. */
  public static final Context UNUSED = new Context(0, Ipv6Address.UNSPECIFIED, 0);

  /**
   * A prefix.
   *
   * @param id 0 to 15
   * @param prefix with zeros after its length
   * @param length 0 to 128 bits
   */
  public record Context(int id, Ipv6Address prefix, int length) {
    public Context {
      if (id < 0 || id > 15 || length < 0 || length > 128) {
        throw new IllegalArgumentException("context ids must be 0 to 15, prefixes 0 to 128 bits");
      }
      prefix = prefix.prefix(length);
    }
  }

  public Contexts {
    list = List.copyOf(list);
    if (list.stream().map(Context::id).distinct().count() != list.size()) {
      throw new IllegalArgumentException("a context id is given twice");
    }
  }

  /** Only context 0, the mesh prefix of 64 bits, as in Contiki-NG. */
  public static Contexts mesh(Ipv6Address prefix) {
    return new Contexts(List.of(new Context(0, prefix, 64)));
  }

  public Context get(int id) throws WireException {
    for (Context context : list) {
      if (context.id() == id) {
        return context;
      }
    }
    throw new WireException(Drop.IPHC_CONTEXT_UNKNOWN);
  }
}
