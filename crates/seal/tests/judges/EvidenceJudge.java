import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.ers.ERSByteData;
import org.bouncycastle.tsp.ers.ERSEvidenceRecord;

/**
 * Reads an evidence record, a file and a time in milliseconds. Checks the record against the file, and prints what has to
 * be stamped to renew the record's time stamp (SHA-256), and its hash tree (SHA-512).
 */
public class EvidenceJudge {
    public static void main(String[] arguments) throws Exception {
        BouncyCastleProvider provider = new BouncyCastleProvider();
        DigestCalculatorProvider digests = new JcaDigestCalculatorProviderBuilder().setProvider(provider).build();
        ERSEvidenceRecord record = new ERSEvidenceRecord(Files.readAllBytes(Path.of(arguments[0])), digests);
        ERSByteData file = new ERSByteData(Files.readAllBytes(Path.of(arguments[1])));
        record.validatePresent(file, new Date(Long.parseLong(arguments[2])));
        SignerInformationVerifier signer =
            new JcaSimpleSignerInfoVerifierBuilder().setProvider(provider).build(record.getSigningCertificate());
        record.validate(signer);
        HexFormat hex = HexFormat.of();
        TimeStampRequestGenerator requests = new TimeStampRequestGenerator();
        byte[] renewal = record.generateTimeStampRenewalRequest(requests).getMessageImprintDigest();
        System.out.println("time stamp " + hex.formatHex(renewal));
        AlgorithmIdentifier sha512 = new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha512);
        byte[] tree =
            record.generateHashRenewalRequest(digests.get(sha512), file, requests).getMessageImprintDigest();
        System.out.println("hash tree " + hex.formatHex(tree));
    }
}
