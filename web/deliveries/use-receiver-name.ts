import { useTranslation } from 'react-i18next'
import { type ReceiverKind, receiverKinds } from '../../src/deliveries/kind-types.ts'

/** Returns the name of a receiver. One that was removed has none any more. */
export function useReceiverName(): (receiver: string | null, name: string | null) => string {
  const { t } = useTranslation()
  return (receiver, name) => {
    const [prefix = '', id = ''] = receiver?.split(':') ?? []
    const kind = (Object.keys(receiverKinds) as ReceiverKind[]).find((one) => one === prefix)
    if (kind === undefined) return t('deliveries.receiver.none')
    if (kind === 'integration') return t('deliveries.receiver.integration', { name: name ?? id })
    return name || t(`deliveries.receiver.${kind}`, { id })
  }
}
