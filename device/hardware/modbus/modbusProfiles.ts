import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { MODBUS, ModbusRegister, ModbusRegisters } from '#domain/drivers/modbusDescription.ts'

export type ModbusProfile = NonNullable<OptionsOf<typeof MODBUS>['profile']>

const float = (address: number) => ({ table: 'input', address, type: 'float32' }) as const satisfies ModbusRegister

/** Instruments whose registers are known from the makers' own tables. */
export const MODBUS_PROFILES: Readonly<Record<ModbusProfile, ModbusRegisters>> = {
  // Eastron, "SDM120-Modbus Smart Meter Modbus Protocol Implementation": input registers, IEEE 754, high word first.
  'eastron-sdm120': { active_power: float(0x000c), energy: float(0x0156) },
  // Eastron, "SDM630-Modbus Smart Meter Modbus Protocol Implementation": values of all phases together.
  'eastron-sdm630': { active_power: float(0x0034), energy: float(0x0156) },
}

/** Both documents name these alike: the voltage of the first phase, and the frequency of the mains. */
export const EASTRON_MAINS = { voltage: float(0x0000), frequency: float(0x0046) }
/** The power of all phases, which the meter of one phase does not have. */
export const POWER_OF_ALL_PHASES = float(0x0034)
