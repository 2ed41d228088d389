import { IconAlertCircle, IconCloudUpload, IconTrash } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { discard, loadQueue, onQueueChange, type QueuedVisit, readQueue, sendAgain, sendQueue } from './visitQueue.ts'

const SEND_EVERY_MS = 15_000

/** Says what waits to be sent, and sends it as soon as there is a network. */
export function UnsentVisits() {
  const queue = useSyncExternalStore(onQueueChange, readQueue)
  useEffect(() => {
    void loadQueue().then(sendQueue)
    const again = () => void sendQueue()
    window.addEventListener('online', again)
    const timer = setInterval(() => readQueue().length > 0 && again(), SEND_EVERY_MS)
    return () => {
      window.removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [])
  const refused = queue.filter(({ refusal }) => refusal !== undefined)
  const waiting = queue.length - refused.length
  return (
    <>
      {waiting > 0 && (
        <NoticeBox icon={IconCloudUpload}>
          {waiting === 1 ? 'One visit is' : `${waiting} visits are`} kept on this device and sent when there is a
          network.
        </NoticeBox>
      )}
      {refused.map((visit) => (
        <Refused key={visit.key} visit={visit} />
      ))}
    </>
  )
}

function Refused({ visit }: { readonly visit: QueuedVisit }) {
  const { key, deviceName, body, refusal } = visit
  const ask = async () => {
    const question = { title: 'Discard visit', text: `Discard the visit to ${deviceName}?`, isDangerous: true }
    if (await confirmDialog(question)) await discard(key)
  }
  return (
    <NoticeBox icon={IconAlertCircle}>
      The visit to {deviceName} was not taken: {refusal} Its comment: {body.actionComment}
      <ActionButton icon={IconCloudUpload} onClick={() => void sendAgain(visit)}>
        Send again
      </ActionButton>
      <ActionButton icon={IconTrash} onClick={() => void ask()}>
        Discard
      </ActionButton>
    </NoticeBox>
  )
}
