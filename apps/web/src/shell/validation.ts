import { validationWords } from '@ensaio/domain'
import { z } from 'zod'

// What a schema does not say in words of its own is said in the product's, wherever a form is checked.
z.config({ localeError: validationWords })
