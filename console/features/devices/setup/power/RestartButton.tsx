import { Button } from '@mantine/core'
import { IconChevronDown, IconRotateClockwise2 } from '@tabler/icons-react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { messages } from '#console/lib/call/messages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { alertDialog } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { upsReboot } from '#contract/http/devices/commands.ts'
import { type FeedChain, partOf } from '#domain/darkness/feedChain.ts'
import { restartsOf } from '#domain/darkness/restart.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { useReadFeedChain } from '../read/feedChain.ts'
import { standingRefusal } from './knownRefusal.ts'
import { restartAction } from './powerActions.ts'
import { type Computer, computersOf, restartCommandId, restartTitle } from './powerCommands.ts'
import { usePower } from './usePower.ts'

/** It restarts a computer of the device by the gentlest means that its wiring allows. */
export function RestartButton() {
  const mayPower = useMay(upsReboot.permission)
  const device = useOpenDevice()
  if (!mayPower) return null
  return hasFixedSetup(device.modelId) ? <RestartTwo /> : <RestartOne />
}

const icon = <IconRotateClockwise2 size={16} aria-hidden />

function RestartOne() {
  const { id, modelId } = useOpenDevice()
  const [computer] = computersOf(modelId)
  const chain = useReadFeedChain(id)
  return <RestartMenu parts={[useRestart(computer, chain)]} />
}

/** Model 1 has two computers, one that speaks to the server and a PC that plays. */
function RestartTwo() {
  const { id, modelId } = useOpenDevice()
  const [computer, player = computer] = computersOf(modelId)
  const chain = useReadFeedChain(id)
  return <RestartMenu parts={[useRestart(computer, chain), useRestart(player, chain)]} />
}

function RestartMenu({ parts }: { readonly parts: readonly ReturnType<typeof useRestart>[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          className="icon-on-phone"
          aria-label="Restart"
          leftSection={icon}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={parts.some(({ isBusy }) => isBusy)}
        >
          Restart
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {parts.map(({ title, isClosed, run }) => (
          <Menu.Item key={title} disabled={isClosed} onClick={run}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function useRestart(computer: Computer, chain: FeedChain | undefined) {
  const device = useOpenDevice()
  const title = restartTitle(computer)
  const [restart, otherwise] = chain ? restartsOf(chain, computer.key) : []
  const first = usePower(restart?.command, chain)
  const second = usePower(otherwise?.command, chain)
  const isOutcomeOpen = first.isOutcomeOpen || second.isOutcomeOpen
  const run = () => {
    const action = restart && restartAction(device, restart)
    const next = otherwise && restartAction(device, otherwise)
    // Switching its power restarts a computer that the client cannot restart.
    const onRefused = next && ((words: string) => second.perform({ ...next, why: deviceMessages.restartHarder(words) }))
    if (action) return void first.perform({ ...action, ...(onRefused ? { onRefused } : {}) })
    const isHung = chain !== undefined && partOf(chain, computer.key) !== undefined
    void alertDialog(title, isHung ? deviceMessages.restartByNothing : deviceMessages.wiringUnknown)
  }
  usePaletteCommands([
    {
      actionId: 'device.power',
      id: restartCommandId(computer),
      label: title,
      searchTerms: 'restart reboot computer PC',
      icon: IconRotateClockwise2,
      refused: isOutcomeOpen ? messages.outcomeOpen : standingRefusal(device),
      run,
    },
  ])
  return { title, isBusy: first.isBusy || second.isBusy, isClosed: isOutcomeOpen || chain === undefined, run }
}
