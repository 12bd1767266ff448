"""What fills real pages in addition to the matter itself: usage tables, leave counters, guarantees, conditions."""

from model import EN_MONTHS, FR_MONTHS, number_text


def months_back(d, n):
    names = FR_MONTHS if d.lang == "fr" else EN_MONTHS
    return [names[(d.issued.month - 2 - i) % 12][:4 if d.lang == "fr" else 3] for i in range(n)][::-1]


def usage(d):
    r = d.r
    head = ["Mois", "Consommation", "Relevé"] if d.lang == "fr" else ["Month", "Usage", "Reading"]
    kinds = ["réel", "estimé"] if d.lang == "fr" else ["actual", "estimated"]
    rows = [[m, str(r.randrange(11, 99)), r.choice(kinds)] for m in months_back(d, r.choice([4, 6]))]
    title = "Historique de vos consommations" if d.lang == "fr" else "Your usage over time"
    how = ("Vous déménagez ? Prévenez-nous quinze jours avant depuis votre espace client. En cas de difficulté de paiement, un échéancier peut vous être proposé."
           if d.lang == "fr" else "Moving home? Let us know two weeks before you go. If you have trouble paying, talk to us and we will agree a plan with you.")
    return [["h", title], ["table", head, rows, "lrl", []], ["p", how]]


def leave(d):
    r = d.r
    n = lambda lo, hi: number_text(r.randrange(lo, hi), "frbare" if d.lang == "fr" else "bare")
    if d.lang == "fr":
        return [["table", ["Congés (jours)", "Acquis", "Pris", "Solde"], [["Année N-1", "25,00", n(3, 20), n(2, 9)], ["Année N", n(4, 20), "0,00", n(4, 20)]], "lrrr", []],
                ["p", f"Heures travaillées dans le mois : {r.choice(['151,67', '162,50', '173,33'])}. Part patronale des cotisations : voir le détail remis sur demande."]]
    return [["table", ["Year to date", "Amount"], [["Hours worked", n(600, 1500)], ["Holiday taken (days)", n(2, 20)], ["Holiday left (days)", n(2, 12)]], "lr", []],
            ["p", "Please keep this statement safe. Questions about your pay go to the payroll office."]]


def tax(d):
    if d.lang == "fr":
        return [["h", "Comment régler"], ["p", "Le paiement peut être fait en ligne, par prélèvement à l'échéance ou par virement en rappelant la référence figurant sur le présent avis."],
                ["h", "Vos recours"], ["p", "Vous pouvez contester cette imposition par lettre motivée adressée au service indiqué en tête. La réclamation ne suspend pas l'obligation de payer."]]
    return [["h", "How to pay"], ["p", "Pay online or by bank transfer, quoting the reference shown on this notice. Interest is charged on late payments."],
            ["h", "If you disagree"], ["p", "You can ask for the decision to be reviewed by writing to the office named above and giving your reasons."]]


def terms(d):
    if d.lang == "fr":
        return [["small", "Conditions : les marchandises restent la propriété du vendeur jusqu'au paiement intégral. Toute contestation doit être formulée par écrit dans les huit jours. "
                          "Une indemnité forfaitaire pour frais de recouvrement est due en cas de retard. Compétence exclusive des tribunaux du siège du vendeur."]]
    return [["small", "Terms: goods remain the property of the seller until paid in full. Claims must be made in writing within eight days of delivery. "
                      "Interest may be charged on overdue accounts. This invoice is subject to our standard conditions of trade, available on request."]]


def cover(d):
    yes = ["Acquise", "Non souscrite"] if d.lang == "fr" else ["Included", "Not included"]
    names = (["Responsabilité civile", "Défense et recours", "Dégâts des eaux, incendie", "Vol et vandalisme", "Bris de glace", "Catastrophes naturelles", "Assistance 0 km"] if d.lang == "fr" else
             ["Third party liability", "Legal expenses", "Fire and escape of water", "Theft", "Glass", "Courtesy car", "Breakdown assistance"])
    rows = [[n, d.r.choice([yes[0], yes[0], yes[1]])] for n in names]
    return [["table", ["Garanties", "Situation"] if d.lang == "fr" else ["Cover", "Status"], rows, "ll", []]]


def bank(d):
    if d.lang == "fr":
        return [["h", "À savoir"], ["p", "Remettez ces coordonnées à votre employeur ou à vos créanciers pour recevoir vos virements et payer vos factures par prélèvement."],
                ["small", "Ce document ne constitue pas un engagement de la banque quant à la provision du compte."]]
    return [["h", "Good to know"], ["p", "Use these details to have your wages paid in or to set up regular payments. Never share your PIN or passcode with anyone."]]


def company(d):
    r = d.r
    if d.lang == "fr":
        return [["h", "RENSEIGNEMENTS RELATIFS À L'ACTIVITÉ"], ["pairs", [("Activité exercée", r.choice(["Négoce et services aux entreprises", "Travaux de second œuvre", "Conseil et formation"])),
                ("Mode d'exploitation", "Exploitation directe"), ("Nombre d'établissements", str(r.randrange(1, 4)))], "left"]]
    return [["h", "Filing history"], ["table", ["Filing", "Status"], [["Confirmation statement", "Accepted"], ["Accounts", "Accepted"], ["Change of registered details", "None"]], "ll", []]]


def vehicle(d):
    if d.lang == "fr":
        return [["small", "En cas de cession du véhicule, barrez ce certificat, inscrivez la date et l'heure de la vente et signez. Tout changement de domicile doit être déclaré dans le mois."]]
    return [["small", "Tell us at once if you sell the vehicle, change your address or modify the vehicle. Keep this certificate in a safe place and not in the vehicle."]]


KINDS = {"PROOF_OF_ADDRESS": usage, "PAYSLIP": leave, "TAX_NOTICE": tax, "INVOICE": terms, "INSURANCE_CERTIFICATE": cover, "BANK_DETAILS": bank,
         "COMPANY_REGISTRATION": company, "VEHICLE_REGISTRATION": vehicle}


def blocks_for(d):
    make = KINDS.get(d.type)
    plain_prose = any(w in d.layout for w in ("prose", "attestation-titulaire", "incorporation", "good-standing"))
    return make(d) if make and not plain_prose and d.r.random() < .72 else []
