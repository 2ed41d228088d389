import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'

/** The product lets one address try more wrong keys at once, and each connection counts as one at first. */
const AT_ONCE = 100

type Device = { readonly guid: string; readonly key: string }

/** Opens a raw connection of a device and waits for its CONNACK. */
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

/** Signs in side by side, in the order of the devices. */
export async function signInAll(devices: readonly Device[], portOf: (index: number) => number): Promise<Socket[]> {
  const sockets: Socket[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < devices.length; index = next++) {
      const { guid, key } = devices[index] as Device
      sockets[index] = await signIn(portOf(index), guid, key)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return sockets
}
