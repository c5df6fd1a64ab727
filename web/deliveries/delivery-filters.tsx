import { useQuery } from '@tanstack/react-query'
import { deliveryKinds, listedStates } from '../../src/deliveries/kind-types.ts'
import { receiversOptions } from '../data/deliveries.ts'
import { useIntegrationNames } from '../data/integration-names.ts'
import { type Filter, useFilterWords } from '../parts/filters/filter.ts'
import { type Choice, choiceFilter } from '../parts/filters/filter-choices.tsx'
import { useReceiverName } from './use-receiver-name.ts'

/** Returns the filters of the list, as the API has them. */
export function useDeliveryFilters(): Filter[] {
  const words = useFilterWords()
  const { t } = words
  const { data: receivers = [] } = useQuery(receiversOptions)
  const nameOf = useReceiverName()
  const choice = (name: 'kind' | 'receiver' | 'integration' | 'state', choices: Choice[]) =>
    choiceFilter(words, {
      name,
      title: t(`deliveries.filter.${name}`),
      member: name,
      choices,
      isSingle: true,
    })
  return [
    choice(
      'kind',
      deliveryKinds.map((value) => ({ value, label: t(`deliveries.kind.${value}`) })),
    ),
    choice(
      'receiver',
      receivers.map(({ receiver, name }) => ({ value: receiver, label: nameOf(receiver, name) })),
    ),
    choice(
      'integration',
      [...useIntegrationNames()].map(([value, label]) => ({ value, label })),
    ),
    choice(
      'state',
      listedStates.map((value) => ({ value, label: t(`webhooks.deliveries.states.${value}`) })),
    ),
  ]
}
