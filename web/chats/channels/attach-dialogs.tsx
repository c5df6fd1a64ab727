import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerContent } from '../../data/telephone.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.ts'

interface AttachDialogProps {
  onClose: () => void
  onAttach: (content: CustomerContent) => void
}

/** Degrees with a decimal point or comma. */
const degreesOf = (text: string): number => Number(text.trim().replace(',', '.'))

/** The bounds of a coordinate in degrees. */
const within = (text: string, most: number): boolean =>
  text.trim() !== '' && Math.abs(degreesOf(text)) <= most

/** A location by its coordinates. */
export function LocationDialog({ onClose, onAttach }: AttachDialogProps) {
  const { t } = useTranslation()
  return (
    <PairDialog
      title={t('message.kind.location')}
      labels={[t('telephone.latitude'), t('telephone.longitude')]}
      first={['52.5163', '13.3777']}
      isRight={([lat, lon]) => within(lat, 90) && within(lon, 180)}
      onClose={onClose}
      onSend={([lat, lon]) => onAttach({ location: { lat: degreesOf(lat), lon: degreesOf(lon) } })}
    />
  )
}

/** The name and the number of a person. */
export function ContactDialog({ onClose, onAttach }: AttachDialogProps) {
  const { t } = useTranslation()
  return (
    <PairDialog
      title={t('message.kind.contact')}
      labels={[t('field.name'), t('telephone.phone')]}
      first={['', '']}
      isRight={([name, phone]) => name.trim() !== '' && phone.trim() !== ''}
      onClose={onClose}
      onSend={([name, phone]) => onAttach({ contact: { name: name.trim(), phone: phone.trim() } })}
    />
  )
}

type Pair = [string, string]

interface PairDialogProps {
  title: string
  labels: Pair
  first: Pair
  isRight: (values: Pair) => boolean
  onClose: () => void
  onSend: (values: Pair) => void
}

function PairDialog({ title, labels, first, isRight, onClose, onSend }: PairDialogProps) {
  const { t } = useTranslation()
  const [values, setValues] = useState(first)
  const [one, other] = values
  useUnsaved(values.join() !== first.join())
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isRight(values)) return
          onSend(values)
          onClose()
        }}
      >
        <div className={dialog.fields}>
          <TextInput
            label={labels[0]}
            value={one}
            maxLength={64}
            data-autofocus
            onChange={({ currentTarget }) => setValues([currentTarget.value, other])}
          />
          <TextInput
            label={labels[1]}
            value={other}
            maxLength={64}
            onChange={({ currentTarget }) => setValues([one, currentTarget.value])}
          />
        </div>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" disabled={!isRight(values)}>
            {t('composer.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
