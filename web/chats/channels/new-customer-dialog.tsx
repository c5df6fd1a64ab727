import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newKey } from '../../api/keys.ts'
import type { Customer } from '../../data/telephone.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../../parts/dialogs/dialog-buttons.tsx'
import form from '../../parts/forms/form.module.css'
import { useUnsaved } from '../../parts/forms/unsaved.ts'

const PHONE = /^\+?\d{5,15}$/

interface NewCustomerProps {
  onClose: () => void
  onAdd: (customer: Customer) => void
}

/** Names a customer. The conversation begins with their first message. */
export function NewCustomerDialog({ onClose, onAdd }: NewCustomerProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  useUnsaved(name !== '' || phone !== '')
  const digits = phone.replace(/[\s()-]/g, '')
  const isWrong = digits !== '' && !PHONE.test(digits)
  const add = () => {
    const key = newKey()
    onAdd({ key, name: name.trim(), ...(digits && { phone: digits }) })
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={t('telephone.new_customer')}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '' && !isWrong) add()
        }}
      >
        <TextInput
          label={t('field.name')}
          value={name}
          maxLength={255}
          required
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          type="tel"
          label={t('telephone.phone')}
          description={t('telephone.phone_hint')}
          value={phone}
          maxLength={40}
          error={isWrong && t('telephone.phone_wrong')}
          onChange={({ currentTarget }) => setPhone(currentTarget.value)}
        />
        <DialogButtons pending={false} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
