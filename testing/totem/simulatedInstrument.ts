import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A part of a totem that speaks its maker's protocol by TCP, until its plug is pulled. */
export interface SimulatedInstrument {
  readonly port: number
  /** Whoever connects while this is true gets no answer. */
  isMute: boolean
  /** Cuts the power: nobody listens, and connections are cut off. */
  pull(): Promise<void>
  plugIn(): Promise<void>
}

/** @param serve handles one connection */
export async function listenOn(serve: (line: Duplex) => void): Promise<SimulatedInstrument> {
  const sockets = new Set<Socket>()
  let listener: Server | undefined
  let port = 0
  const plugIn = async () => {
    listener = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      if (!instrument.isMute) serve(socket)
    })
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    port = (listener.address() as AddressInfo).port
  }
  const instrument = {
    isMute: false,
    get port() {
      return port
    },
    plugIn,
    async pull() {
      const closed = new Promise((resolve) => listener?.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  await plugIn()
  return instrument
}
