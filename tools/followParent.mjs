// It is loaded before a program that `npm` started: when its starter is killed, nothing may stay that holds a port.
if (process.connected) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
