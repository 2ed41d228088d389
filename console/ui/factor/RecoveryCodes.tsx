import { copyText } from '#console/lib/clipboard.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import './factor.css'

interface Props {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

export function RecoveryCodes({ codes, onDone }: Props) {
  return (
    <div className="recovery">
      <FormNote
        kind="info"
        text="Keep these codes where you find them without your telephone. They are not shown again."
      />
      <ol className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="factor-lead">Each works once in the place of a one-time code.</p>
      <div className="recovery-buttons">
        <PlainButton onClick={() => void copyText(codes.join('\n'))}>Copy all</PlainButton>
        <PlainButton isMain onClick={onDone} data-autofocus>
          I have kept them
        </PlainButton>
      </div>
    </div>
  )
}
