import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'

/** A raw connection of a device that was let in. */
export function signIn(port: number, guid: string, key: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject)
    socket.once('data', (connack: Buffer) => {
      if (connack[3] !== 0) reject(new Error(`A connection was refused with ${connack[3]}.`))
      else resolve(socket)
    })
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: `bench-${guid}`,
        keepalive: 0,
        username: guid,
        password: Buffer.from(key),
      }),
    )
  })
}
