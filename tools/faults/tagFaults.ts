import type { Fault } from './fault.ts'

export const TAG_FAULTS: readonly Fault[] = [
  {
    name: 'A tag in other letters is another tag',
    file: 'domain/devices/tags.ts',
    replace: '.toUpperCase().toLowerCase()',
    by: '',
    foundBy: ['domain/devices/tags.test.ts', 'server/features/devices/deviceTags.test.ts'],
  },
  {
    name: 'A device brings the words of its customer to the next',
    file: 'server/features/devices/deviceDetails.service.ts',
    replace: 'return { tags: [] }',
    by: 'return {}',
    foundBy: ['server/features/devices/deviceTags.test.ts'],
  },
  {
    name: 'A device that has twenty tags gets one more',
    file: 'server/features/devices/deviceDetails.service.ts',
    replace: 'if (tags.length > MOST_TAGS)',
    by: 'if (tags.length > MOST_TAGS + 1)',
    foundBy: ['server/features/devices/deviceTags.test.ts'],
  },
  {
    name: 'Devices of any of the tags are listed, not those of all',
    file: 'server/features/devices/deviceList.store.ts',
    replace: 'device.tag_keys @> ',
    by: 'device.tag_keys && ',
    foundBy: ['server/features/devices/deviceTags.test.ts'],
  },
  {
    name: 'Devices are not found by their tags',
    file: 'server/fleet/searchTexts.ts',
    replace: "tags: tags.split('\\n')",
    by: 'tags: []',
    foundBy: ['server/features/devices/deviceTags.test.ts'],
  },
]
