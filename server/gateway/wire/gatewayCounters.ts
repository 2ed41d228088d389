/** Counts since the start of the process. */
export interface GatewayCounters {
  connectionsOpened: number
  connectionsClosed: number
  /** Connections with a wrong guid or key, or with a will for a foreign topic. */
  connectionsRefused: number
  /** Publishes and subscriptions outside the device's own topics. Each closed its connection. */
  topicsDenied: number
  packetsMalformed: number
  /** How often a device was slowed down because it sent more than it may. */
  devicesSlowedDown: number
}

export function newGatewayCounters(): GatewayCounters {
  return {
    connectionsOpened: 0,
    connectionsClosed: 0,
    connectionsRefused: 0,
    topicsDenied: 0,
    packetsMalformed: 0,
    devicesSlowedDown: 0,
  }
}
