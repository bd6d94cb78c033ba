package dev.vigil.border.radio;

import com.fazecast.jSerialComm.SerialPort;
import com.fazecast.jSerialComm.SerialPortInvalidPortException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** An open octet stream in both directions: a serial port or a TCP connection. */
interface OctetPort extends Closeable {
  InputStream in() throws IOException;

  OutputStream out() throws IOException;

  /** Opens a port; may be called again after a failure. */
  @FunctionalInterface
  interface Opener {
    OctetPort open() throws IOException;
  }

  /** A TCP connection: a serial port server, Cooja's serial socket. */
  static Opener tcp(String host, int port) {
    return () -> {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(host, port), 3_000);
        socket.setTcpNoDelay(true);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      return new OctetPort() {
        @Override
        public InputStream in() throws IOException {
          return socket.getInputStream();
        }

        @Override
        public OutputStream out() throws IOException {
          return socket.getOutputStream();
        }

        @Override
        public void close() throws IOException {
          socket.close();
        }
      };
    };
  }

  /** A serial port, 8 data bits, no parity, one stop bit, no flow control. */
  static Opener serial(String device, int baud) {
    return () -> {
      SerialPort port = find(device);
      port.setComPortParameters(baud, 8, SerialPort.ONE_STOP_BIT, SerialPort.NO_PARITY);
      port.setFlowControl(SerialPort.FLOW_CONTROL_DISABLED);
      port.setComPortTimeouts(SerialPort.TIMEOUT_READ_SEMI_BLOCKING, 0, 0);
      if (!port.openPort()) {
        throw new IOException("cannot open serial port " + device);
      }
      return new OctetPort() {
        @Override
        public InputStream in() {
          return port.getInputStream();
        }

        @Override
        public OutputStream out() {
          return port.getOutputStream();
        }

        @Override
        public void close() {
          port.closePort();
        }
      };
    };
  }

  private static SerialPort find(String device) throws IOException {
    try {
      return SerialPort.getCommPort(device);
    } catch (SerialPortInvalidPortException e) {
      throw new IOException("there is no serial port " + device, e);
    }
  }
}
