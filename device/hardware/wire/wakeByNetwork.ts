import { createSocket } from 'node:dgram'

const DISCARD_PORT = 9

/** The frame that wakes the owner of this address: six times 0xFF, then the address sixteen times. */
function magicPacket(mac: string): Buffer {
  const address = Buffer.from(mac.replaceAll(/[:-]/g, ''), 'hex')
  return Buffer.concat([Buffer.alloc(6, 0xff), ...Array.from({ length: 16 }, () => address)])
}

/** Sends it to everybody on the networks of this computer; nothing answers. */
export function wakeByNetwork(mac: string, to = '255.255.255.255', port = DISCARD_PORT): Promise<void> {
  const socket = createSocket('udp4')
  return new Promise((resolve, reject) => {
    const end = (error: Error | null) => {
      socket.close()
      if (error) reject(error)
      else resolve()
    }
    socket.once('error', end)
    socket.bind(() => {
      socket.setBroadcast(true)
      socket.send(magicPacket(mac), port, to, end)
    })
  })
}
