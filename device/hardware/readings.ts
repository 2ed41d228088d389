/**
 * What each component says about itself, in the words of the catalogue (`domain/catalogue`), so that a reading is a
 * report as it stands. An absent value is unknown.
 */
export interface DisplayReading {
  internal_temp?: number
  intake_temp?: number
  exhaust_temp?: number
  humidity?: number
  fan1_speed?: number
  fan2_speed?: number
  fan3_speed?: number
  fan4_speed?: number
  fan1_speed_target?: number
  fan2_speed_target?: number
  fan3_speed_target?: number
  fan4_speed_target?: number
  backlight_level?: number
  brightness?: number
  contrast?: number
  gamma_value?: number
  red_color_balance?: number
  green_color_balance?: number
  blue_color_balance?: number
  ambient_light?: number
  backlight_automatic_status?: number
  min_backlight?: number
  max_backlight?: number
  min_ambient_light?: number
  max_ambient_light?: number
  touch_matrix_status?: string
  source?: string
  source_search_status?: string
  out_of_order_status?: string
  uptime?: number
}

export interface ComputerReading {
  client_version?: string
  /** 1: in order, anything else: out of order. */
  status_id?: number
  uptime?: number
  cpu_load?: number
  cpu_temp?: number
  memory_used?: number
  disk_used?: number
  signal_strength?: number
  network_received?: number
  network_sent?: number
}

export interface ControllerReading {
  internal_temp?: number
  external_temp?: number
  fan1_speed?: number
  fan2_speed?: number
  /** 1: open. */
  door_status?: number
  uptime?: number
}

export interface UpsReading {
  status?: string
  battery_charge?: number
  battery_runtime?: number
  load?: number
  input_voltage?: number
  output_voltage?: number
  battery_voltage?: number
  temp?: number
}

/** 1: on. */
export interface PowerSwitchReading {
  port1_status?: number
  port2_status?: number
}

/** 1: something answers behind the port. */
export interface NetworkSwitchesReading {
  port1_status?: number
  port2_status?: number
  port3_status?: number
  port4_status?: number
  signal_strength?: number
}

/** 1: on. */
export interface RelayReading {
  port1_status?: number
  port2_status?: number
}

export interface RouterRelayReading {
  /** 0: on, because the relay interrupts the supply. */
  relay_status?: number
  port1_status?: number
  port2_status?: number
}

export interface CameraReading {
  online_status?: number
  frame_rate?: number
  temp?: number
}

/** How often each button was pressed, ever. */
export interface ButtonsReading {
  '1'?: number
  '2'?: number
  '3'?: number
  '4'?: number
  '5'?: number
}

/** Any of them, by catalogue name. */
export type Reading = Readonly<Record<string, number | string | undefined>>
