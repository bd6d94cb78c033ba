// Shows the notifications that the gateway sends through the browser's push service, also while no
// page of the gateway is open.
self.addEventListener("push", (event) => {
  const { title, body, tag, page } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: "icon.svg", data: page }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL("#" + event.notification.data, self.registration.scope);
  event.waitUntil(self.clients.openWindow(page.href));
});
