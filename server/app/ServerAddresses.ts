import {
  type DeviceAddresses,
  deviceAddresses,
  type ListeningAt,
  localAddresses,
  readTrusted,
} from '../features/devices/details/deviceAddresses.ts'
import { plainHosts } from '../network/plainHosts.ts'
import type { Config } from '../settings/config.ts'

interface KnownAddresses {
  readonly own: DeviceAddresses
  readonly local: DeviceAddresses
}

/** The addresses of this server. Parts get them before it listens, and ask later, because a port may come late. */
export class ServerAddresses {
  readonly #config: Config
  #known: KnownAddresses | undefined

  constructor(config: Config) {
    this.#config = config
  }

  /** The server listens from now on. */
  listen(at: ListeningAt): KnownAddresses {
    const { publicUrl, mqttUrl, deviceCa } = this.#config
    this.#known = {
      own: { ...deviceAddresses({ ...at, publicUrl, mqttUrl }), ...readTrusted(deviceCa) },
      local: localAddresses(plainHosts(this.#config), at),
    }
    return this.#known
  }

  get own(): DeviceAddresses {
    if (!this.#known) throw new Error('A call was answered before the server listened.')
    return this.#known.own
  }

  /** Undefined before the server listens. */
  get consoleOrigin(): string | undefined {
    return this.#known && new URL(this.#known.own.httpUrl).origin
  }
}
