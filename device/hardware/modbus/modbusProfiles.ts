import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { MODBUS, ModbusRegisters } from '#domain/drivers/modbusDescription.ts'

type ProfileName = NonNullable<OptionsOf<typeof MODBUS>['profile']>

const float = (address: number) => ({ table: 'input', address, type: 'float32' }) as const

/** Instruments whose registers are known from the makers' own tables. */
export const MODBUS_PROFILES: Readonly<Record<ProfileName, ModbusRegisters>> = {
  // Eastron, "SDM120-Modbus Smart Meter Modbus Protocol Implementation": input registers, IEEE 754, high word first.
  'eastron-sdm120': { active_power: float(0x000c), energy: float(0x0156) },
  // Eastron, "SDM630-Modbus Smart Meter Modbus Protocol Implementation": values of all phases together.
  'eastron-sdm630': { active_power: float(0x0034), energy: float(0x0156) },
}
