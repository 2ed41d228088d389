import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '#console/router/useAddress.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { OnePlay } from './OnePlay.tsx'
import { type PlayFile, PlayList, readPlayFile } from './PlayList.tsx'
import { ProofAnswer } from './ProofAnswer.tsx'
import { ProofKeys } from './ProofKeys.tsx'
import { useProof } from './useProof.ts'
import './proof.css'

/** It answers whether displays were lit while something was shown on them. */
export function LightProofScreen() {
  const { values, unread, change } = useAddress('/proof-of-light')
  const [file, setFile] = useState<PlayFile>()
  const { answer, isBusy, proveOne, proveList, forget } = useProof()
  const choose = async (chosen: File | null) => {
    if (chosen === null) return
    forget()
    setFile(readPlayFile(chosen.name, await chosen.text()))
  }
  return (
    <Screen
      title="Proof of light"
      unread={unread}
      actions={
        <FileButton accept=".csv,text/csv" onChange={(chosen) => void choose(chosen)}>
          {(props) => (
            <ActionButton icon={IconUpload} isMain {...props}>
              Upload plays (csv)
            </ActionButton>
          )}
        </FileButton>
      }
    >
      <div className="proof">
        <OnePlay
          deviceId={values.deviceId}
          onDevice={(deviceId) => change({ deviceId })}
          isBusy={isBusy}
          onProve={(query) => void proveOne(query)}
        />
        {file && <PlayList file={file} isBusy={isBusy} onProve={(plays) => void proveList(plays)} />}
        {answer && <ProofAnswer answer={answer} />}
        <ProofKeys />
      </div>
    </Screen>
  )
}
