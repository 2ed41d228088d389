import { Aedes, type AedesOptions, type Client, type PublishPacket } from 'aedes'

type PublishDone = (error?: Error) => void

/**
 * The broker for what is not a report: connecting, subscribing, and packets to a device. It passes nothing on: what
 * one client publishes reaches no other, nothing is retained, no will is delivered, and its own `$SYS` news go nowhere
 * (design: The gateway keeps no MQTT state).
 */
export class DeviceBroker extends Aedes {
  constructor(options: AedesOptions) {
    super(options)
    // One listener for each connection is far more than Node's warning limit when a fleet closes at once.
    this.setMaxListeners(0)
  }

  override publish(_packet: PublishPacket, ...rest: [PublishDone] | [Client | null, PublishDone?]): void {
    const done = rest.at(-1)
    if (typeof done === 'function') setImmediate(done)
  }
}
