/** What may be registered with the ministry; apart from the long lists, for those that only name it. */
export const REGISTRATION_KINDS = {
  fertilizante: 'Fertilizante, corretivo ou substrato',
  biofertilizante: 'Biofertilizante ou orgânico',
  inoculante: 'Inoculante',
  agrotoxico: 'Agrotóxico',
} as const
export type RegistrationKind = keyof typeof REGISTRATION_KINDS
