import { lightWord } from '#console/device/LightBadge.tsx'
import type { CsvColumn } from '#console/lib/csv.ts'
import type { Device } from '#contract/http/device.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { deviceStatusName } from '#domain/devices/status.ts'

export const DEVICE_CSV_COLUMNS: readonly CsvColumn<Device>[] = [
  { header: 'Id', cell: ({ id }) => id },
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Customer', cell: ({ customerName }) => customerName },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'Model', cell: ({ modelId }) => deviceModelName(modelId) },
  { header: 'Serial number', cell: ({ attrSerial }) => attrSerial },
  { header: 'Status', cell: ({ statusId }) => deviceStatusName(statusId) },
  { header: 'Connected', cell: ({ connStatusId }) => (connStatusId === 1 ? 'Yes' : 'No') },
  { header: 'Last event', cell: ({ lastEvent }) => lastEvent },
  { header: 'Light', cell: lightWord },
  { header: 'Light since', cell: ({ lightSince }) => lightSince },
  { header: 'Why', cell: ({ lightCause }) => lightCause },
  { header: 'On battery', cell: ({ isOnBattery }) => (isOnBattery === null ? '' : isOnBattery ? 'Yes' : 'No') },
  { header: 'Active alerts', cell: ({ activeAlerts }) => activeAlerts },
  { header: 'Latitude', cell: ({ latitude }) => latitude },
  { header: 'Longitude', cell: ({ longitude }) => longitude },
]
