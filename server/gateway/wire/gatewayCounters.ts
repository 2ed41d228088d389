/** Counted since the start of the process. */
export interface GatewayCounters {
  connectionsOpened: number
  connectionsClosed: number
  /** Wrong guid or key, or a will for a foreign topic. */
  connectionsRefused: number
  /** A publish or a subscription outside the device's own subtree; each closed its connection. */
  topicsDenied: number
  /** Packets that break the protocol; each closed its connection. */
  packetsMalformed: number
  /** Times that a device was made to wait because it sent more than it may. */
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
