import { Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changePlan, type DeliveryPlan, planOptions } from '../data/webhooks.ts'
import form from '../parts/forms/form.module.css'
import { useAction } from '../parts/forms/use-action.ts'
import { Loaded } from '../parts/layout/loaded.tsx'

const plans = ['patient', 'platform'] as const satisfies DeliveryPlan[]

/** How the account delivers its webhooks. */
export function PlanChoice() {
  const { t } = useTranslation()
  const query = useQuery(planOptions)
  const change = useAction(changePlan, t('app.saved'))
  const [chosen, setChosen] = useState<DeliveryPlan>()
  const choose = (plan: DeliveryPlan) => {
    setChosen(plan)
    change.run(plan)
  }
  return (
    <Loaded query={query} rows={2}>
      {(plan) => (
        <Radio.Group
          aria-label={t('webhooks.plan.title')}
          value={change.pending ? chosen : plan}
          onChange={(value) => choose(value as DeliveryPlan)}
        >
          <div className={form.checks}>
            {plans.map((one) => (
              <Radio
                key={one}
                value={one}
                size="xs"
                label={t(`webhooks.plan.${one}`)}
                description={t(`webhooks.plan.${one}_hint`)}
              />
            ))}
          </div>
        </Radio.Group>
      )}
    </Loaded>
  )
}
