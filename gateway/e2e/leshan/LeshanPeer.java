import java.util.Scanner;
import org.eclipse.leshan.client.californium.LeshanClient;
import org.eclipse.leshan.client.californium.LeshanClientBuilder;
import org.eclipse.leshan.client.object.Device;
import org.eclipse.leshan.client.object.Security;
import org.eclipse.leshan.client.object.Server;
import org.eclipse.leshan.client.observer.LwM2mClientObserverAdapter;
import org.eclipse.leshan.client.resource.ObjectsInitializer;
import org.eclipse.leshan.client.servers.ServerIdentity;
import org.eclipse.leshan.core.LwM2mId;
import org.eclipse.leshan.core.request.BindingMode;
import org.eclipse.leshan.core.request.DeregisterRequest;
import org.eclipse.leshan.core.request.RegisterRequest;
import org.eclipse.leshan.core.request.UpdateRequest;

/**
 * Leshan's client with its defaults: {@code LeshanPeer.java URI ENDPOINT}. Prints each success; its log shows failures. A line
 * {@code update} on standard input sends an update; the end of the input deregisters.
 */
final class LeshanPeer {
  private static final int SERVER = 123;
  private static final int LIFETIME_SECONDS = 600;

  public static void main(String[] words) {
    ObjectsInitializer objects = new ObjectsInitializer();
    objects.setInstancesForObject(LwM2mId.SECURITY, Security.noSec(words[0], SERVER));
    objects.setInstancesForObject(
        LwM2mId.SERVER, new Server(SERVER, LIFETIME_SECONDS, BindingMode.U, false));
    objects.setInstancesForObject(LwM2mId.DEVICE, new Device("Eclipse", "Leshan", "1", "U"));
    LeshanClientBuilder builder = new LeshanClientBuilder(words[1]);
    builder.setObjects(objects.createAll());
    LeshanClient client = builder.build();
    client.addObserver(new Outcomes());
    client.start();
    try (Scanner input = new Scanner(System.in)) {
      while (input.hasNextLine()) {
        if (input.nextLine().equals("update")) {
          client.triggerRegistrationUpdate();
        }
      }
    }
    client.destroy(true);
  }

  private static final class Outcomes extends LwM2mClientObserverAdapter {
    @Override
    public void onRegistrationSuccess(ServerIdentity server, RegisterRequest request, String id) {
      System.out.println("registered " + id);
    }

    @Override
    public void onUpdateSuccess(ServerIdentity server, UpdateRequest request) {
      System.out.println("updated");
    }

    @Override
    public void onDeregistrationSuccess(ServerIdentity server, DeregisterRequest request) {
      System.out.println("deregistered");
    }
  }
}
