import type { ReadingOf } from '#domain/catalogue/eventTypes.ts'

export type DisplayReading = ReadingOf<'display'>

/** `status_id` 1: in order, anything else: out of order. */
export type ComputerReading = ReadingOf<'device'>

/** `door_status` 1: open. */
export type ControllerReading = ReadingOf<'ecu'>

export type UpsReading = ReadingOf<'ups'>

/** 1: on. */
export type PowerSwitchReading = ReadingOf<'power-switch'>

/** 1: something answers behind the port. */
export type NetworkSwitchesReading = ReadingOf<'router'>

/** 1: on. */
export type RelayReading = ReadingOf<'relay'>

/** `relay_status` 0: on, because the relay interrupts the supply. */
export type RouterRelayReading = ReadingOf<'router-relay'>

export type CameraReading = ReadingOf<'camera'>

/** How often each button was pressed, ever. */
export type ButtonsReading = ReadingOf<'yocto'>

/** Any of them, by catalogue name. */
export type Reading = Readonly<Record<string, number | string | undefined>>

/** What one driver said, and when. */
export interface DatedReading {
  /** Which of the drivers of a part it is from. */
  readonly source: string
  /** The same object as long as it is the same reading. */
  readonly values: Reading
  readonly takenAgoMs: number
  readonly trafficBytes?: number
}
